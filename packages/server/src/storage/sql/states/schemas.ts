/** The schemas of a project's states. */

import { flagsChecks, schemaKinds, schemaModes } from '@holdfast/contract';
import { projectChange } from '../../caches/access-changes.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import type { Author, Expectation } from '../../contract/public-states.ts';
import { ofItsAccount, ofRecord } from '../../contract/read-owner.ts';
import type {
  CurrentSchema,
  NewSchemaVersion,
  ProjectSchemas,
  SchemaHistoryItem,
  SchemaKey,
  SchemaOutcome,
  SchemaVersion,
} from '../../contract/schemas.ts';
import { nextVersion } from '../../history/version-floors.ts';
import {
  integerAt,
  jsonAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  type Row,
  textAt,
  wordAt,
} from '../../rows/columns.ts';
import { environmentAt, environmentNumbers } from '../../rows/environment-numbers.ts';
import { commentBytes, encodeOptional } from '../../rows/stored-texts.ts';
import { created, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { lockProject, projectTarget } from '../projects/projects.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { readVersionFloor } from '../upkeep/store-rollback.ts';
import { storageQuota } from '../usage/storage-quota.ts';
import { largeRead, type Setting, smallRead } from '../verb.ts';
import { eventAuthor, storeEvent } from '../webhooks/webhook-queue.ts';

const isOfSchema = 'account_id = $1 AND slug = $2 AND environment = $3 AND kind = $4';
const valuesOf = ({ accountId, slug, environment, kind }: SchemaKey) =>
  [accountId, slug, environmentNumbers[environment], kind] as const;

/** The project; undefined if it does not exist. */
function* findProject({ accountId, slug }: ProjectKey): Steps<Row | undefined> {
  // No row: no such project.
  return yield* first(
    'SELECT flags_check FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
}

function* readAll(_: Setting, key: ProjectKey): Steps<ProjectSchemas | undefined> {
  const project = yield* findProject(key);
  if (project === undefined) return undefined;
  // At most six rows: the newest of each environment and kind, unless it was deleted.
  const rows = yield* all(
    `SELECT environment, kind, version, mode, schema, instructions FROM shapes
     WHERE account_id = $1 AND slug = $2 AND schema IS NOT NULL AND version = (
       SELECT max(version) FROM shapes AS newer WHERE newer.account_id = $1 AND newer.slug = $2
         AND newer.environment = shapes.environment AND newer.kind = shapes.kind)`,
    [key.accountId, key.slug],
  );
  return { flagsCheck: wordAt(project, 'flags_check', flagsChecks), schemas: rows.map(toCurrentSchema) };
}

function* readOne(_: Setting, key: SchemaKey, version: number | null): Steps<SchemaVersion | null | undefined> {
  if ((yield* findProject(key)) === undefined) return undefined;
  // No row: no such version.
  const row = yield* first(`SELECT * FROM shapes WHERE ${isOfSchema} AND version <= $5 ORDER BY version DESC LIMIT 1`, [
    ...valuesOf(key),
    version ?? Number.MAX_SAFE_INTEGER,
  ]);
  const isRequested =
    row !== undefined && row.schema !== null && (version === null || integerAt(row, 'version') === version);
  return isRequested ? toSchemaVersion(row) : null;
}

function* listHistory(
  _: Setting,
  key: SchemaKey,
  { before, itemsMax }: { readonly before: number | null; readonly itemsMax: number },
): Steps<{ readonly items: readonly SchemaHistoryItem[]; readonly hasMore: boolean } | undefined> {
  if ((yield* findProject(key)) === undefined) return undefined;
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT version, mode, comment, author, written_at, octet_length(schema) AS schema_bytes FROM shapes
     WHERE ${isOfSchema} AND version < $5 AND schema IS NOT NULL ORDER BY version DESC LIMIT $6`,
    [...valuesOf(key), before ?? Number.MAX_SAFE_INTEGER, itemsMax + 1],
  );
  return { items: rows.slice(0, itemsMax).map(toHistoryItem), hasMore: rows.length > itemsMax };
}

function* writeSchema(
  setting: AuditedSetting,
  key: SchemaKey,
  expected: Expectation,
  next: NewSchemaVersion | null,
): Steps<WithAuditEntry<SchemaOutcome>> {
  // The account is locked, so its schemas are written one at a time.
  if (!(yield* lockProject(key))) return unchanged({ kind: 'no_project' });
  // One row: the newest version, or nulls.
  const newest = yield* first(
    `SELECT max(version) AS version,
       (SELECT schema_version FROM version_floors WHERE account_id = $1 AND slug = $2 AND environment = $3) AS floor,
       (SELECT version FROM shapes AS current WHERE current.account_id = $1 AND current.slug = $2 AND current.environment = $3
          AND current.kind = $4 AND current.schema IS NOT NULL ORDER BY version DESC LIMIT 1) AS present
     FROM shapes WHERE ${isOfSchema}`,
    valuesOf(key),
  );
  const last = newest === undefined ? null : optionalIntegerAt(newest, 'version');
  const present = newest === undefined ? null : optionalIntegerAt(newest, 'present');
  const currentVersion = present !== null && present === last ? present : null;
  const holds = expected.kind === 'absent' ? currentVersion === null : currentVersion === expected.version;
  if (!holds || (next === null && currentVersion === null)) return unchanged({ kind: 'conflict', currentVersion });
  const floor = newest === undefined ? null : optionalIntegerAt(newest, 'floor');
  const version = nextVersion(Math.max(last ?? 0, floor ?? 0), yield* readVersionFloor());
  const comment = encodeOptional(next?.comment ?? null);
  const bytes = next === null ? 0 : Buffer.byteLength(next.schemaText) + commentBytes(comment);
  const refused = next === null ? undefined : yield* storageQuota(setting, key.accountId, bytes);
  if (refused !== undefined) return unchanged(refused);
  yield* insert(key, version, next, { comment, bytes, at: setting.by.at });
  yield* storeEvent(key, {
    type: 'schema.changed',
    environment: key.environment,
    at: setting.by.at,
    data: {
      kind: key.kind,
      version,
      mode: next?.mode ?? null,
      author: next === null ? eventAuthor(setting.by) : next.author,
      comment: next?.comment ?? null,
    },
  });
  const target = `${projectTarget(key.slug)}/schemas/${key.environment}/${key.kind}`;
  const detail =
    next === null
      ? removed({ version: currentVersion })
      : created({ version, mode: next.mode, ...(next.comment !== null && { comment: next.comment }) });
  return withAuditEntry(
    { kind: 'written', version },
    { action: next === null ? 'schema.delete' : 'schema.write', target, detail },
  );
}

function* insert(
  key: SchemaKey,
  version: number,
  next: NewSchemaVersion | null,
  { comment, bytes, at }: { readonly comment: string | null; readonly bytes: number; readonly at: number },
): Steps<void> {
  // One row each, always.
  yield* together([
    {
      sql: `INSERT INTO shapes (account_id, slug, environment, kind, version, mode, schema, instructions, comment, author, written_at, bytes)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      values: [
        ...valuesOf(key),
        version,
        next?.mode ?? 'off',
        next?.schemaText ?? null,
        next?.instructions ?? 0,
        comment,
        next === null || next.author === null ? null : JSON.stringify(next.author),
        next?.writtenAt ?? at,
        bytes,
      ],
    },
    { sql: 'UPDATE accounts SET schema_bytes = schema_bytes + $2 WHERE account_id = $1', values: [key.accountId, bytes] },
  ]);
}

const toCurrentSchema = (row: Row): CurrentSchema => ({
  environment: environmentAt(row),
  kind: wordAt(row, 'kind', schemaKinds),
  version: integerAt(row, 'version'),
  mode: wordAt(row, 'mode', schemaModes),
  schemaText: textAt(row, 'schema'),
  instructions: integerAt(row, 'instructions'),
});

const writtenOf = (row: Row) => ({
  version: integerAt(row, 'version'),
  mode: wordAt(row, 'mode', schemaModes),
  comment: optionalDecodedTextAt(row, 'comment'),
  author: optionalTextAt(row, 'author') === null ? null : jsonAt<Author>(row, 'author'),
  writtenAt: integerAt(row, 'written_at'),
});

const toSchemaVersion = (row: Row): SchemaVersion => ({
  ...writtenOf(row),
  schemaText: textAt(row, 'schema'),
  instructions: integerAt(row, 'instructions'),
});

const toHistoryItem = (row: Row): SchemaHistoryItem => ({ ...writtenOf(row), schemaBytes: integerAt(row, 'schema_bytes') });

export const schemaVerbs = {
  /** The schemas that a project's writes are checked against; undefined if the project does not exist. */
  readSchemas: smallRead(readAll),
  /**
   * Returns a version; `version` null selects the current version. Returns null if there is no such version, undefined if the project does
   * not exist.
   */
  readSchema: largeRead(readOne, ofRecord),
  /** Versions below `before`, newest first, without their schemas; undefined if the project does not exist. */
  listSchemaHistory: largeRead(listHistory, ofRecord),
  /**
   * Compares and writes in one step; `next` null deletes the schema, and `written` then carries the version number that the deletion uses
   * up. Versions begin above every version of a deleted schema or project with this key. This is an access change of the project.
   */
  writeSchema: audited(writeSchema, ofItsAccount, {
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome.kind !== 'written',
    charactersOf: (_key, _expected, next) => next?.schemaText.length ?? 0,
  }),
};
