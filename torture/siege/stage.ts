/** The besieged server, with its attacker, somebody else, and the watching process. */

import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { createApi, expectStatus } from '../../tooling/api.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import { createApiKey, publicStatePath } from '../../tooling/credentials.ts';
import { type Engine, openRunDatabase } from '../../tooling/database.ts';
import { type ServerProcess, startServerProcess } from '../../tooling/server-process.ts';
import { allowSignIn, signUp } from './browser.ts';
import type { Size, Target } from './case.ts';
import { openOperator } from './operator.ts';
import { namesFromHere } from './own-names.ts';
import { startWatch, type Watch } from './watch.ts';

/** Keys of the other account, so that its writes stay below the limit of each. */
const otherKeys = 4;
const settleMilliseconds = 400;

export interface Stage {
  readonly target: Target;
  readonly watch: Watch;
  readonly server: ServerProcess;
  /** Of the idle server, in bytes, after all its code was used once. */
  readonly residentBytesBefore: number;
  /** Restarts the server on the same data, so that no effects of an attack are left. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly engine: Engine;
  readonly dataDir: string;
  readonly size: Size;
  readonly seed: number;
}

/** Starts a server with default settings. Rejects, after stopping it, if it cannot be prepared. */
export async function openStage({ engine, dataDir, size, seed }: StageOptions): Promise<Stage> {
  const place = engine === 'embedded' ? {} : (await prioritized(openRunDatabase)).place;
  const port = await freePort();
  // Other attacks turn the limits off; here they have their defaults.
  const env = { ...place, SVC_RATE_LIMIT_PER_MINUTE: '600', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '120', ...namesFromHere };
  const launch = () => prioritized(() => startServerProcess({ dataDir, port, env }));
  let server = await launch();
  let watch: Watch | undefined;
  const close = async () => {
    watch?.close();
    await server.kill();
  };
  try {
    const operator = await openOperator(server.baseUrl, { ...place, SVC_DATA_DIR: dataDir, SVC_PORT: String(port) });
    const [attacker, other] = [await operator.newAccount('Attacker'), await operator.newAccount('Somebody else')];
    const apiKeys = await newApiKeys(other, otherKeys);
    const target: Target = {
      ...attacker,
      engine,
      other,
      dataDir,
      operator,
      size,
      seed,
      nextAddress,
      sized: (whole, small) => (size.isSmall ? small : whole),
    };
    const settle = async () => {
      await warmUp(target);
      await sleep(settleMilliseconds);
      watch = await prioritized(() => startWatch({ pid: server.pid, other, apiKeys }));
      return server.residentBytes();
    };
    let residentBytesBefore = await settle();
    return {
      target,
      get watch() {
        return watch as Watch;
      },
      get server() {
        return server;
      },
      get residentBytesBefore() {
        return residentBytesBefore;
      },
      async restart() {
        await close();
        server = await launch();
        residentBytesBefore = await settle();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const urgentPriority = -10;

/**
 * Gives the processes that `work` starts priority over other programs of the machine, if allowed: others' work is not to be measured, and a
 * real attack would come from other machines.
 */
async function prioritized<Result>(work: () => Promise<Result>): Promise<Result> {
  const usual = getPriority();
  try {
    setPriority(urgentPriority);
  } catch {
    return work(); // needs root
  }
  try {
    return await work();
  } finally {
    setPriority(usual);
  }
}

let addresses = 0;

/** On Linux, loopback has sixteen million addresses; each is a separate client to a server. */
function nextAddress(): string {
  const number = ++addresses;
  return `127.${10 + ((number >> 14) & 127)}.${(number >> 7) & 127}.${1 + (number & 127)}`;
}

async function newApiKeys(owner: Credentials, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 1; number <= count; number++) keys.push((await createApiKey(owner, { name: `key ${number}` })).apiKey);
  return keys;
}

/** Triggers lazy loading and the start of threads, which do not count as growth. */
async function warmUp(target: Target): Promise<void> {
  const { baseUrl, accountId, operator } = target;
  // A separate developer: with a shared store, counts survive a restart.
  const api = createApi(baseUrl, `Bearer ${await operator.developerToken(accountId, `warming-${nextAddress()}`)}`);
  for (const path of ['/docs', '/openapi.json', '/.well-known/jwks.json']) {
    expectStatus(await api.send('GET', path), 200);
  }
  expectStatus(await allowSignIn(target), 200);
  // More than there are threads: each keeps the memory of the first password that it hashed.
  await Promise.all(Array.from({ length: 8 }, () => signUp(target, `somebody-${nextAddress()}@siege.example`)));
  const state = publicStatePath(target, 'staging');
  const body = { state: { text: 'x'.repeat(200_000) } };
  const current = await api.send('GET', state);
  const headers =
    current.status === 204 ? { 'If-None-Match': '*' } : { 'If-Match': String(expectStatus(current, 200).headers.etag) };
  expectStatus(await api.send('PUT', state, { headers, body }), 200);
  for (let number = 0; number < 200; number++) await api.send('GET', state);
  api.close();
}
