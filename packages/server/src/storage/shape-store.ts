/** The part of the storage contract that keeps the schemas that states of a project have to fit. */
import type { FlagsCheck, ShapeKind, ShapeMode } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ProjectKey } from './management-store.ts';
import type { Author, Expectation, PublicStateKey } from './public-state-store.ts';
import type { QuotaReached } from './usage-store.ts';

/** Names the schema of one kind of state in one environment. */
export interface ShapeKey extends PublicStateKey {
  readonly kind: ShapeKind;
}

/** A schema as it is written. */
export interface NewShape {
  readonly mode: ShapeMode;
  /** Compact JSON. */
  readonly schemaText: string;
  /** What its regular expressions compile to. */
  readonly instructions: number;
  readonly comment: string | null;
  readonly author: Author | null;
  readonly writtenAt: number;
}

/** A version of a schema, for whoever holds it over documents. */
export interface HeldShape
  extends Pick<NewShape, 'mode' | 'schemaText' | 'instructions'>,
    Omit<ShapeKey, keyof ProjectKey> {
  readonly version: number;
}

/** What is held over the writes of a project. */
export interface ProjectShapes {
  readonly flagsCheck: FlagsCheck;
  /** The current schemas, at most one for each environment and kind. */
  readonly shapes: readonly HeldShape[];
}

/** A version of a schema as it was written. */
export interface ShapeVersion extends NewShape {
  readonly version: number;
}

export type ShapeHistoryItem = Omit<ShapeVersion, 'schemaText' | 'instructions'> & { readonly schemaBytes: number };

export type ShapeOutcome =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | { readonly kind: 'no_project' }
  | QuotaReached;

export interface ShapeStore {
  /** What is held over the writes of a project; undefined when there is no such project. */
  readShapes(key: ProjectKey): Awaitable<ProjectShapes | undefined>;
  /** A version; null takes the current one. Null: there is none. Undefined: there is no such project. */
  readShape(key: ShapeKey, version: number | null): Awaitable<ShapeVersion | null | undefined>;
  /** Versions below `before`, newest first, without their schemas. Undefined: there is no such project. */
  listShapeHistory(
    key: ShapeKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<{ readonly items: readonly ShapeHistoryItem[]; readonly hasMore: boolean } | undefined>;
  /**
   * Compares and writes in one step; null deletes the current version, and `written` then has the number that is used up by that. Versions
   * begin above every one that a deleted schema or project of this key had. An access change of the project.
   */
  writeShape(by: ChangedBy, key: ShapeKey, expected: Expectation, next: NewShape | null): Promise<ShapeOutcome>;
}
