/** The part of the storage contract for the schemas of a project's states. */
import type { FlagsCheck, SchemaKind, SchemaMode } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ProjectKey } from './management-store.ts';
import type { Author, Expectation, PublicStateKey } from './public-state-store.ts';
import type { QuotaReached } from './usage-store.ts';

/** Identifies the schema of one kind of state in one environment. */
export interface SchemaKey extends PublicStateKey {
  readonly kind: SchemaKind;
}

/** A new version of a schema. */
export interface NewSchemaVersion {
  readonly mode: SchemaMode;
  /** Compact JSON. */
  readonly schemaText: string;
  /** The size of its compiled regular expressions. */
  readonly instructions: number;
  readonly comment: string | null;
  readonly author: Author | null;
  readonly writtenAt: number;
}

/** The current version of a schema, for validating documents. */
export interface CurrentSchema
  extends Pick<NewSchemaVersion, 'mode' | 'schemaText' | 'instructions'>,
    Omit<SchemaKey, keyof ProjectKey> {
  readonly version: number;
}

/** The schemas that a project's writes are checked against. */
export interface ProjectSchemas {
  readonly flagsCheck: FlagsCheck;
  /** The current schemas, at most one for each environment and kind. */
  readonly schemas: readonly CurrentSchema[];
}

/** A stored version of a schema. */
export interface SchemaVersion extends NewSchemaVersion {
  readonly version: number;
}

export type SchemaHistoryItem = Omit<SchemaVersion, 'schemaText' | 'instructions'> & { readonly schemaBytes: number };

export type SchemaOutcome =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | { readonly kind: 'no_project' }
  | QuotaReached;

export interface SchemaStore {
  /** The schemas that a project's writes are checked against; undefined if the project does not exist. */
  readSchemas(key: ProjectKey): Awaitable<ProjectSchemas | undefined>;
  /**
   * Returns a version; `version` null selects the current version. Returns null if there is no such version, undefined if the project does
   * not exist.
   */
  readSchema(key: SchemaKey, version: number | null): Awaitable<SchemaVersion | null | undefined>;
  /** Versions below `before`, newest first, without their schemas; undefined if the project does not exist. */
  listSchemaHistory(
    key: SchemaKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<{ readonly items: readonly SchemaHistoryItem[]; readonly hasMore: boolean } | undefined>;
  /**
   * Compares and writes in one step; `next` null deletes the schema, and `written` then carries the version number that the deletion uses
   * up. Versions begin above every version of a deleted schema or project with this key. This is an access change of the project.
   */
  writeSchema(by: ChangedBy, key: SchemaKey, expected: Expectation, next: NewSchemaVersion | null): Promise<SchemaOutcome>;
}
