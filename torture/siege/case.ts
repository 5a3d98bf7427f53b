/** The definition and the input of a siege's case. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../tooling/api.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import type { Engine } from '../../tooling/database.ts';
import type { Operator } from './operator.ts';

/** The tolerance of each bound. */
export interface Tolerance {
  readonly waitMilliseconds: number;
  readonly growthMebibytes: number;
  readonly writeMilliseconds: number;
}

export const noTolerance: Tolerance = { waitMilliseconds: 0, growthMebibytes: 0, writeMilliseconds: 0 };

/** How much is sent: everything, or enough to show a fault within a second or two. */
export interface Size {
  readonly isSmall: boolean;
  /** Whether only the cases in every change's checks are run. */
  readonly isQuick: boolean;
  /** The tolerance of the bounds, on a machine with other work. */
  readonly tolerance: Tolerance;
  /** Duration of lasting attacks. */
  readonly seconds: number;
  /** Connections of one host that tries to take all of them. */
  readonly connections: number;
}

/** The server under attack, as seen by an attacker with an account. */
export interface Target extends Credentials {
  readonly engine: Engine;
  /** Somebody in another account, whom no attack may affect. */
  readonly other: Credentials;
  readonly dataDir: string;
  readonly operator: Operator;
  readonly size: Size;
  readonly seed: number;
  /** An unused client address on loopback. */
  nextAddress(): string;
  /** `whole` in a full run, `small` in a small one. */
  sized<Value>(whole: Value, small: Value): Value;
}

/** The result of an attack. */
export interface Finding {
  /** What was sent, for people. */
  readonly sent: string;
  /** Its effects other than on others, for people. */
  readonly note?: string;
  /** Broken promises, in addition to the bounds of every case. */
  readonly faults?: readonly string[];
  /** When each input was pending, if others' waits are to be assigned to inputs. */
  readonly inputs?: readonly SentInput[];
}

export interface SentInput {
  readonly name: string;
  /** In milliseconds of `clock`. */
  readonly from: number;
  readonly to: number;
}

export type Attack = () => Promise<Finding>;

export interface SiegeCase {
  readonly name: string;
  /** Whether it needs no store, so that a small run tries it on one engine only. */
  readonly isApart?: true;
  /** Whether it is part of every change's checks. */
  readonly isQuick?: true;
  /** Whether a small run leaves it out. */
  readonly isLarge?: true;
  /** Prepares the attack, unmeasured, and returns it. */
  prepare(target: Target): Promise<Attack> | Attack;
}

/** A case of every change's checks. */
export const quick = (one: SiegeCase): SiegeCase => ({ ...one, isQuick: true });

/** Milliseconds of a clock shared by all processes of this machine. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** Sends requests at a rate, regardless of outcomes, and closes the client later. Resolves with their number when the last was sent. */
export async function sendAtRate(
  api: Api,
  perSecond: number,
  seconds: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const count = Math.round(perSecond * seconds);
  for (let sent = 0; sent < count; sent++) {
    void send().catch(() => {});
    await sleep(1_000 / perSecond);
  }
  setTimeout(api.close, 2_000);
  return count;
}
