/** Records of the schemas of a project's states. */
import type { FlagsCheck, SchemaKind, SchemaMode } from '@holdfast/contract';
import type { ProjectKey } from './projects.ts';
import type { Author, PublicStateKey } from './public-states.ts';
import type { QuotaReached } from './usage.ts';

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
