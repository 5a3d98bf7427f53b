/** A device that saves the entries of a list in sequence, and records the outcome of each. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { writesAfter } from '../../tooling/api.ts';
import type { Random } from '../../tooling/random.ts';
import type { Answer, PlayerStage } from './stage.ts';

export interface UserState {
  readonly log: readonly string[];
}

/** A stored entry, and the version that added it. */
export interface Acknowledged {
  readonly entry: string;
  readonly version: number;
}

const ended = [400, 401, 403, 409];

export class Saver {
  readonly #stage: PlayerStage;
  readonly #name: string;
  /** The owner of the token may change: a guest signs up. */
  token: string;
  /** Every acknowledged entry, in order. */
  readonly acknowledged: Acknowledged[] = [];
  /** Entries with an unknown outcome. */
  readonly uncertain: string[] = [];
  readonly faults: string[] = [];
  #version: number | undefined;

  constructor(stage: PlayerStage, name: string, token: string) {
    this.#stage = stage;
    this.#name = name;
    this.token = token;
  }

  /** The version and document read with the token; version null if there is none. */
  async read(): Promise<{ readonly version: number | null; readonly userState: UserState }> {
    const answer = await this.#stage.send('GET', this.#path, { token: this.token });
    if (answer.status === 204) return { version: null, userState: { log: [] } };
    if (answer.status !== 200) throw new SaverEnded(`${this.#name} reads: ${answer.status}`);
    return { version: answer.json.version as number, userState: answer.json.state as UserState };
  }

  /** Saves entries up to this number, with pauses. Stops earlier if the token becomes invalid. */
  async save(entries: number, random: Random): Promise<void> {
    for (let index = 0; index < entries; index++) {
      if (!(await this.#saveOne(`${this.#name}-${this.acknowledged.length + this.uncertain.length}`))) return;
      await sleep(random.below(30));
    }
  }

  /** Returns false if the token has become invalid. */
  async #saveOne(entry: string): Promise<boolean> {
    for (;;) {
      const answer = await this.#send(entry);
      const { status, json } = answer;
      // With `appliedVersion` it was applied before, and somebody has written since.
      const stored = status === 200 ? json.version : json.appliedVersion;
      if (typeof stored === 'number') {
        this.acknowledged.push({ entry, version: stored });
        this.#version = status === 200 ? stored : (json.currentVersion as number);
        return true;
      }
      if (status !== 412) {
        if (answer.isRepeated) this.uncertain.push(entry);
        if (!ended.includes(status)) this.faults.push(`${this.#name} saves: ${status} ${JSON.stringify(json)}`);
        return false;
      }
      // Somebody else has written: a merge, or this player, whose response was lost. The key shows that this entry was not stored.
      try {
        this.#version = (await this.read()).version ?? undefined;
      } catch {
        return false;
      }
    }
  }

  #send(entry: string): Promise<Answer> {
    const isFirst = this.#version === undefined;
    const op = isFirst ? { op: 'add', path: '/log', value: [entry] } : { op: 'add', path: '/log/-', value: entry };
    const headers = { ...writesAfter(this.#version), 'Idempotency-Key': randomUUID() };
    return this.#stage.send('PATCH', this.#path, { token: this.token, headers, body: { ops: [op] } });
  }

  get #path(): string {
    return `${this.#stage.project}/user-state/production`;
  }
}

/** The token is invalid: its guest has become another player. */
export class SaverEnded extends Error {}
