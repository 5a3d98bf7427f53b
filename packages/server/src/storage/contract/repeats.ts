/** Records of completed writes that clients may send again. */
import type { Environment } from '@holdfast/contract';
import type { ProjectKey } from './projects.ts';

/** A write that its client may send again. Only hashes are stored, which reveal nothing about the request. */
export interface Repeat {
  /** Identifies the document: the result of `publicScope` or `userScope`. Half of its SHA-256 is stored. */
  readonly scope: string;
  /** Identifies the client and its key: half of a SHA-256. */
  readonly key: Uint8Array;
  /** Identifies the request: half of a SHA-256. */
  readonly request: Uint8Array;
}

/** The stored facts about a key. */
export interface FoundRepeat {
  /** The version written with it. */
  readonly version: number;
  /** Whether the request was the same. */
  readonly isSame: boolean;
}

/** A write was not carried out, because an earlier write had the same key. */
export interface Repeated extends FoundRepeat {
  readonly kind: 'repeated';
}

/** The maximum number of keys kept per document. A further key replaces the oldest. */
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
