/** What a case of the siege is, and what it is given. */
import type { Credentials } from '../credentials.ts';
import type { Operator } from './operator.ts';

export type Engine = 'embedded' | 'postgresql';

/** What is allowed beyond each bound. */
export interface Tolerance {
  readonly waitMilliseconds: number;
  readonly growthMebibytes: number;
  readonly writeMilliseconds: number;
}

export const noTolerance: Tolerance = { waitMilliseconds: 0, growthMebibytes: 0, writeMilliseconds: 0 };

/** How much is sent: the whole, or as much as shows a fault within a second or two. */
export interface Size {
  readonly isSmall: boolean;
  /** Whether only the cases are tried that are part of every change's checks. */
  readonly isQuick: boolean;
  /** What is allowed beyond the bounds, on a machine that does other things. */
  readonly tolerance: Tolerance;
  /** Of attacks that last. */
  readonly seconds: number;
  /** Connections that one host opens when it tries to take all of them. */
  readonly connections: number;
}

/** The server under attack, as an attacker with an account sees it. */
export interface Target extends Credentials {
  readonly engine: Engine;
  /** Somebody in another account, whom no attack may concern. */
  readonly other: Credentials;
  readonly dataDir: string;
  readonly operator: Operator;
  readonly size: Size;
  readonly seed: number;
  /** A client address on loopback that nothing has come from yet. */
  nextAddress(): string;
  /** `whole` in a run of full size, `small` in a small one. */
  sized<Value>(whole: Value, small: Value): Value;
}

/** What an attack did. */
export interface Finding {
  /** What was sent, for people. */
  readonly sent: string;
  /** What came of it beside what others saw, for people. */
  readonly note?: string;
  /** What broke, beside the bounds that every case has. */
  readonly faults?: readonly string[];
  /** When each input was on its way, where waits of others are to be told apart by input. */
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
  /** Makes what the attack needs, unmeasured, and returns the attack. */
  prepare(target: Target): Promise<Attack> | Attack;
}

/** A case as part of every change's checks. */
export const quick = (one: SiegeCase): SiegeCase => ({ ...one, isQuick: true });

/** Milliseconds of a clock that all processes of this machine share. */
export const clock = (): number => performance.timeOrigin + performance.now();

export const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
