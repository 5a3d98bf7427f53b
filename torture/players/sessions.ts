/**
 * Players whose clients keep renewing their tokens while servers restart or are killed, signing keys rotate, requests move between servers,
 * and responses are lost. Nobody may be signed out. Every use of a refresh token other than the client's repetition of the last one would
 * end the sign-in, since there is no grace period.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { createAuth, isHoldfastError, memoryStorage, type SignInAuth } from '@holdfast/client';
import type { Engine } from '../../tooling/database.ts';
import { createRandom, type Random } from '../../tooling/random.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { sumOf } from '../../tooling/statistics.ts';
import { openPlayerStage, type PlayerStage, redirectUri } from './stage.ts';

const clients = 24;
const faultsShown = 20;
/** An access token of a revoked key is renewed by the next request. */
const revokedEvery = 4;

export interface SessionsReport {
  readonly engine: Engine;
  readonly restarts: number;
  readonly rotations: number;
  /** Requests that a client sent to another server than the previous one. */
  readonly nodeChanges: number;
  readonly lostAnswers: number;
  readonly renewals: number;
  readonly signedOut: number;
  readonly faults: readonly string[];
}

/** Runs until there were this many restarts and rotations; rejects if a server does not start again. */
export function tortureSessions(engine: Engine, events: number, seed: number): Promise<SessionsReport> {
  return withDataDir(async (folder) => {
    const stage = await openPlayerStage(engine, folder);
    try {
      const random = createRandom(seed);
      const players = await Promise.all(
        Array.from({ length: clients }, (_, index) => signedIn(stage, `player-${index}`, random)),
      );
      let isOver = false;
      const using = Promise.all(players.map((player) => player.useUntil(() => isOver)));
      const done = await disturb(stage, events, random).finally(() => {
        isOver = true;
      });
      await using;
      return {
        engine,
        ...done,
        nodeChanges: sumOf(players, ({ network }) => network.changes),
        lostAnswers: sumOf(players, ({ network }) => network.lost),
        renewals: sumOf(players, ({ renewals }) => renewals),
        signedOut: sumOf(players, ({ auth }) => (auth.user === null ? 1 : 0)),
        faults: players.flatMap(({ faults }) => faults).slice(0, faultsShown),
      };
    } finally {
      await stage.close();
    }
  });
}

/** Restarts servers, some of them by `kill -9`, and rotates the keys, in sequence. */
async function disturb(stage: PlayerStage, events: number, random: Random) {
  const done = { restarts: 0, rotations: 0 };
  while (done.restarts + done.rotations < events) {
    if (random.oneIn(3)) {
      await stage.command('keys', 'rotate', ...(random.oneIn(revokedEvery) ? ['--revoke'] : []));
      done.rotations++;
    } else {
      await stage.restart(random.below(stage.baseUrls.length), random.oneIn(2) ? 'kill' : 'stop');
      done.restarts++;
    }
    await sleep(random.below(100));
  }
  return done;
}

/** A network to any of the servers, which loses one in four responses of the token endpoint. */
class Network {
  readonly #stage: PlayerStage;
  readonly #random: Random;
  #last = 0;
  changes = 0;
  lost = 0;

  constructor(stage: PlayerStage, random: Random) {
    this.#stage = stage;
    this.#random = random;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const index = this.#random.below(this.#stage.baseUrls.length);
    if (index !== this.#last) this.changes++;
    this.#last = index;
    const response = await fetch(`${this.#stage.baseUrls[index]}${pathname}${search}`, init);
    if (pathname !== '/v1/auth/token' || !this.#random.oneIn(4)) return response;
    await response.text();
    this.lost++;
    throw new TypeError('the answer was lost');
  };
}

/** A signed-in client. */
class Player {
  readonly auth: SignInAuth;
  readonly network: Network;
  readonly #path: string;
  readonly #userId: string;
  readonly #random: Random;
  readonly faults: string[] = [];
  renewals = 0;

  constructor(auth: SignInAuth, network: Network, path: string, userId: string, random: Random) {
    this.auth = auth;
    this.network = network;
    this.#path = path;
    this.#userId = userId;
    this.#random = random;
  }

  /** Renews and uses the tokens repeatedly while signed in. */
  async useUntil(isOver: () => boolean): Promise<void> {
    while (!isOver() && this.auth.user !== null) {
      const header = await this.auth.authorization();
      const isRenewed = await this.auth.renew(header).catch((error: unknown) => this.#refused(error));
      if (isRenewed) this.renewals++;
      await this.#read();
      await sleep(this.#random.below(40));
    }
    if (this.auth.user?.id !== this.#userId) this.faults.push(`${this.#userId} is signed out, or somebody else`);
  }

  async #read(): Promise<void> {
    try {
      const { status } = await this.auth.fetch(this.#path);
      if (status !== 204 && status !== 503) this.faults.push(`${this.#userId} reads: ${status}`);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** No server responded, or one was unavailable, as happens during a restart. */
  #refused(error: unknown): false {
    const { code, status } = error as { readonly code?: string; readonly status?: number };
    const isOfOutage = isHoldfastError(error) && (code === 'network_error' || code === 'timeout' || status === 503);
    if (!isOfOutage && !(error instanceof TypeError)) this.faults.push(`${this.#userId}: ${error}`);
    return false;
  }
}

/** Signs a player in through the client, bypassing the login page. */
async function signedIn(stage: PlayerStage, subject: string, random: Random): Promise<Player> {
  const [accountId = '', project = ''] = stage.place.clientId.split('.');
  const network = new Network(stage, random);
  let returned = '';
  const openUrl = async (url: string) => {
    const { state = '', code_challenge = '' } = Object.fromEntries(new URL(url).searchParams);
    returned = await stage.signIn(subject, { state, code_challenge });
  };
  const auth = createAuth({
    baseUrl: stage.place.baseUrl,
    accountId,
    project,
    environment: 'production',
    redirectUri,
    storage: memoryStorage(),
    openUrl,
    fetch: (input, init) => (returned === '' ? fetch(input, init) : network.fetch(input, init)),
  });
  await auth.signIn();
  // If the response to a code exchange is lost, the code is spent. Only renewals lose responses here.
  const address = returned;
  returned = '';
  const completed = await auth.handleRedirect(address);
  returned = address;
  if (completed === null) throw new Error(`${subject} is not signed in`);
  return new Player(auth, network, `${stage.project}/user-state/production`, completed.user.id, random);
}
