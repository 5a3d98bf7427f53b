/** State schemas: reads, writes, reports and checks them. @see docs/contract.md §5.6 */
import { setTimeout } from 'node:timers/promises';
import type { SchemaMode } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../../access/finished-upgrade.ts';
import { noProject, Refusal } from '../../common/requests/refusal.ts';
import { quotaReached } from '../../limits/quota-refusal.ts';
import type { Warning } from '../../schemas/new-schema.ts';
import type { ChangedBy } from '../../storage/contract/audit.ts';
import type { Author, Expectation } from '../../storage/contract/public-states.ts';
import type { SchemaHistoryItem, SchemaKey, SchemaVersion } from '../../storage/contract/schemas.ts';
import type { Store } from '../../storage/store.ts';
import { ownerOf } from '../documents/document-owner.ts';
import { conflict, expectation, type Precondition } from '../documents/precondition.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import type { ReportItem, ViolationReports } from './violation-reports.ts';

export interface SchemaParts {
  readonly store: Pick<Store, 'readSchema' | 'writeSchema' | 'listSchemaHistory' | 'isUpgradeFinished'>;
  readonly evaluator: Pick<Evaluator, 'validate'>;
  readonly reports: Pick<ViolationReports, 'of'>;
  /** Whether other nodes may use the same store. */
  readonly isShared: boolean;
}

/** Within this time every node knows of an access change, or remembers nothing while it cannot look. @see Store.onAccessChange */
const accessChangeMilliseconds = 1_000;

/** A schema in a request. */
export interface SchemaWrite {
  readonly by: ChangedBy;
  readonly precondition: Precondition;
  readonly body: Uint8Array;
  readonly isProtected: boolean;
  readonly author: Author | null;
}

/** A schema version as written. */
export interface WrittenSchema {
  readonly version: number;
  readonly mode: SchemaMode;
  readonly schemaText: string;
  readonly comment: string | null;
  /** Warnings for the author; undefined when reading. */
  readonly warnings?: readonly Warning[];
}

export class Schemas {
  readonly #parts: SchemaParts;

  constructor(parts: SchemaParts) {
    this.#parts = parts;
  }

  /** The current version; null if there is none. Refuses `not_found` if the project does not exist. */
  async read(key: SchemaKey): Promise<SchemaVersion | null> {
    return found(await this.#parts.store.readSchema(key, null), key);
  }

  /** One version. Refuses `not_found` if it does not exist. */
  async readVersion(key: SchemaKey, version: number): Promise<SchemaVersion> {
    const schema = found(await this.#parts.store.readSchema(key, version), key);
    if (schema !== null) return schema;
    throw new Refusal('not_found', `the schema of the environment "${key.environment}" has no version with this number`);
  }

  /** A page of the versions below `before`, newest first. Refuses `not_found` if the project does not exist. */
  async history(
    key: SchemaKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Promise<{ readonly items: readonly SchemaHistoryItem[]; readonly hasMore: boolean }> {
    const outcome = await this.#parts.store.listSchemaHistory(key, page);
    if (outcome === undefined) throw noProject(key);
    return outcome;
  }

  /** The current version's reports on this node. Refuses `not_found` if the project does not exist. */
  async report(key: SchemaKey): Promise<readonly ReportItem[]> {
    const schema = await this.read(key);
    return schema === null ? [] : this.#parts.reports.of(key, schema.version);
  }

  /**
   * Writes the body's schema. Refuses `validation_error` (with `violations` for an unusable schema), `version_conflict`, `not_found` if the
   * project does not exist, quotas, and `upgrade_unfinished` for a schema that older nodes would not enforce.
   */
  async write(key: SchemaKey, { by, precondition, body, isProtected, author }: SchemaWrite): Promise<WrittenSchema> {
    const { evaluator, store } = this.#parts;
    const sent = await evaluator.validate(ownerOf(key), { kind: 'schema_body', body, requiresComment: isProtected });
    if (sent.kind !== 'schema') throw new TypeError(`a thread replied ${sent.kind}`);
    const { mode, schemaText, instructions, comment, warnings } = sent;
    if (mode === 'enforce') await requireFinishedUpgrade(store, 'enforcedSchemas');
    const next = { mode, schemaText, instructions, comment, author, writtenAt: by.at };
    const version = await this.#change(key, by, precondition, next);
    await this.#settled();
    return { version, mode, schemaText, comment, warnings };
  }

  /**
   * Deletes the current version. Refuses `version_conflict`, `validation_error` without `If-Match`, `not_found` if the project does not
   * exist.
   */
  async remove(key: SchemaKey, by: ChangedBy, precondition: Precondition): Promise<void> {
    if (precondition.kind === 'absent') {
      throw new Refusal('validation_error', 'a deletion needs the header If-Match: "<version>"');
    }
    await this.#change(key, by, precondition, null);
    await this.#settled();
  }

  /** Resolves when every node applies the latest change to new writes. */
  async #settled(): Promise<void> {
    if (this.#parts.isShared) await setTimeout(accessChangeMilliseconds);
  }

  async #change(
    key: SchemaKey,
    by: ChangedBy,
    precondition: Precondition,
    next: Parameters<Store['writeSchema']>[3],
  ): Promise<number> {
    const { store } = this.#parts;
    const expected: Expectation | undefined = expectation(precondition);
    if (expected === undefined) throw conflict(precondition, (await this.read(key))?.version ?? null);
    const outcome = await store.writeSchema(by, key, expected, next);
    switch (outcome.kind) {
      case 'written':
        return outcome.version;
      case 'conflict':
        throw conflict(precondition, outcome.currentVersion);
      case 'no_project':
        throw noProject(key);
      case 'quota':
        throw quotaReached(outcome);
    }
  }
}

function found(schema: SchemaVersion | null | undefined, key: SchemaKey): SchemaVersion | null {
  if (schema === undefined) throw noProject(key);
  return schema;
}
