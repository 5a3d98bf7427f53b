/** The part of the storage contract that remembers which writes were carried out, for clients that send them again. */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ProjectKey } from './management-store.ts';

/** A write that its client may send again. Only hashes of this are stored, and nothing of the request can be read from them. */
export interface Repeat {
  /** Which document: what `publicScope` or `userScope` returns. Half of its SHA-256 is stored. */
  readonly scope: string;
  /** Which key of which client: half of a SHA-256. */
  readonly key: Uint8Array;
  /** What was asked for: half of a SHA-256. */
  readonly request: Uint8Array;
}

/** What is known about a key. */
export interface FoundRepeat {
  /** The version written with it. */
  readonly version: number;
  /** Whether the request was the same. */
  readonly isSame: boolean;
}

/** A write was not carried out, because an earlier one had the same key. */
export interface Repeated extends FoundRepeat {
  readonly kind: 'repeated';
}

/** How many keys are kept for each document. One more replaces the oldest. */
export const repeatsOfDocumentMax = 10_000;

type Document = ProjectKey & { readonly environment: Environment };

/** Returns the scope of the public state of an environment. A project that is created again has different scopes. */
export const publicScope = ({ accountId, slug, environment }: Document, projectCreatedAt: number): string =>
  JSON.stringify(['public', accountId, slug, projectCreatedAt, environment]);

/** Returns the scope of the state of a player in an environment. */
export const userScope = (
  { accountId, slug, environment, playerId }: Document & { readonly playerId: string },
  projectCreatedAt: number,
): string => JSON.stringify(['user', accountId, slug, projectCreatedAt, environment, playerId]);

export interface RepeatStore {
  /** What is known about a key. Sees every write acknowledged before. */
  findRepeat(accountId: string, repeat: Repeat): Awaitable<FoundRepeat | undefined>;
  /** Forgets some keys of writes before a time, and returns how many; 0 if none is left. */
  sweepRepeats(writtenBefore: number): Promise<number>;
}
