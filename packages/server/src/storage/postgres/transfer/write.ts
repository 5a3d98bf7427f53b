/** Writes the records of a copy into a database that nobody else uses and whose tables are otherwise empty. */
import { LRUCache } from 'lru-cache';
import { commentBytes, decodeText } from '../../rows.ts';
import type { TransferKind, TransferRecord } from '../../transfer.ts';
import type { Query } from '../connection/query.ts';
import { bucketOf, usagePartOf } from '../usage/usage-sums.ts';
import { type Fields, familiesTable, type TransferTable, transferTables } from './tables.ts';

/** Writes all records of a batch with the statements of the caller's transaction. */
export type TransferWrite = (query: Query, kind: TransferKind, records: readonly TransferRecord[]) => Promise<void>;

/** Returns the writer of records of every kind. Rejects when a record belongs to no project that was copied. */
export function createTransferWriter(): TransferWrite {
  const projects = new ProjectIds();
  return async (query, kind, records) => {
    // One row, always.
    if (kind === 'installation') await query(putSecret, [records[0]?.bucket_secret as Uint8Array]);
    else await insert(query, transferTables[kind], await projects.addTo(query, records, transferTables[kind]));
    if (kind === 'projects') await query(countProjects, [toJson(records)]);
    if (kind === 'public_state_versions') await query(addBytes, [toJson(records.map(countedBytes))]);
    if (kind === 'user_states') await addUsers(query, await projects.addTo(query, records, transferTables[kind]));
    if (kind === 'sign_ins') {
      const families = records.filter((record) => record.created_at !== null);
      await insert(query, familiesTable, await projects.addTo(query, families, familiesTable));
    }
  };
}

/** How many ids of projects are kept in memory; some 200 bytes each. */
const projectsMax = 100_000;

/** The ids of the projects in the copy. */
class ProjectIds {
  readonly #known = new LRUCache<string, string>({ max: projectsMax });

  /** Returns records with the ids of their projects, if the table has them. Rejects when there is no such project. */
  async addTo(query: Query, records: readonly TransferRecord[], table: TransferTable): Promise<readonly TransferRecord[]> {
    if (!table.isOfProject) return records;
    const places = new Map(records.filter(({ slug }) => slug !== null).map((record) => [nameOf(record), record]));
    const ids = new Map([...places.keys()].map((name) => [name, this.#known.get(name)]));
    const unknown = [...places].filter(([name]) => ids.get(name) === undefined);
    if (unknown.length > 0) {
      const names = unknown.map(([, { account_id, slug }]) => ({ account_id, slug }) as TransferRecord);
      for (const row of await query(findProjects, [toJson(names)])) {
        ids.set(nameOf(row), row.project_id as string);
        this.#known.set(nameOf(row), row.project_id as string);
      }
    }
    return records.map((record) => {
      if (record.slug === null) return { ...record, project_id: null };
      const id = ids.get(nameOf(record));
      if (id === undefined) throw new Error(`there is no project ${nameOf(record)} in the copy`);
      return { ...record, project_id: id };
    });
  }
}

const nameOf = (row: Readonly<Record<string, unknown>>): string => `${row.account_id}/${row.slug}`;

const insertions = new Map<TransferTable, string>();

/** A row for each record. */
async function insert(query: Query, table: TransferTable, records: readonly TransferRecord[]): Promise<void> {
  if (records.length === 0) return;
  let statement = insertions.get(table);
  if (statement === undefined) {
    const names = table.columns.split(',').map((column) => column.trim().split(' ')[0]);
    statement = `INSERT INTO ${table.table} (${names}) SELECT ${names} FROM ${given(table.columns)}`;
    insertions.set(table, statement);
  }
  await query(statement, [toJson(records.map((record) => ({ ...record, ...table.added?.(record) })))]);
}

/** SQL: the rows in the parameter $1. */
const given = (columns: string): string => `json_to_recordset($1::text::json) AS given (${columns})`;

/** Rows in the form that `given` takes. */
function toJson(rows: readonly Fields[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const bytes = Object.entries(row).filter(([, value]) => value instanceof Uint8Array) as [string, Uint8Array][];
      if (bytes.length === 0) return row;
      const texts = bytes.map(([name, value]) => [name, `\\x${Buffer.from(value).toString('hex')}`]);
      return { ...row, ...Object.fromEntries(texts) };
    }),
  );
}

/** The bytes that a version counts with. */
const countedBytes = (record: TransferRecord): Fields => {
  const { account_id, slug, environment, state_bytes: stateBytes, comment } = record;
  const bytes = (stateBytes as number) + commentBytes(comment as string | null);
  return { account_id, slug, environment, bytes } as Fields;
};

/** Counting does not need the states of records. */
const withoutTexts = ({ state: _state, comment: _comment, ...rest }: TransferRecord): Fields => rest;

/** Counts the end users of records, and records in which environments they have state. */
async function addUsers(query: Query, records: readonly TransferRecord[]): Promise<void> {
  // One row, always: it was copied first.
  const [installation] = await query('SELECT bucket_secret FROM installation WHERE id = 1');
  const secret = installation?.bucket_secret as Uint8Array;
  const users = records.map((record) => {
    const key = { accountId: record.account_id as string, slug: record.slug as string };
    const bucket = bucketOf(secret, { ...key, endUserId: decodeText(record.end_user_id) });
    return { ...withoutTexts(record), part: usagePartOf(bucket), bit: 2 ** (record.environment as number) };
  });
  await query(addUsage, [toJson(users)]);
  await query(addMembers, [toJson(users)]);
}

const putSecret = `
  INSERT INTO installation (id, bucket_secret) VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET bucket_secret = excluded.bucket_secret`;

/** A row for each project that is there. */
const findProjects = `
  SELECT account_id, slug, project_id FROM ${given('account_id text, slug text')} JOIN projects USING (account_id, slug)`;

/** A row for each account. */
const countProjects = `
  UPDATE accounts SET projects = accounts.projects + counted.projects
  FROM (SELECT account_id, count(*) AS projects FROM ${given('account_id text')} GROUP BY account_id) AS counted
  WHERE accounts.account_id = counted.account_id`;

/** A row for each environment. */
const addBytes = `
  UPDATE environments SET kept_bytes = environments.kept_bytes + counted.bytes
  FROM (
    SELECT account_id, slug, environment, sum(bytes) AS bytes
    FROM ${given('account_id text, slug text, environment smallint, bytes bigint')}
    GROUP BY account_id, slug, environment) AS counted
  WHERE environments.account_id = counted.account_id AND environments.slug = counted.slug
    AND environments.environment = counted.environment`;

const givenUsers = given(
  'account_id text, project_id uuid, end_user_id text, part smallint, bit smallint, state_bytes bigint',
);

/** A row for each part. An end user counts with the first record, before \`addMembers\` adds the membership. */
const addUsage = `
  INSERT INTO user_usage (account_id, project_id, part, end_users, bytes)
  SELECT account_id, project_id, part,
    count(DISTINCT end_user_id) FILTER (WHERE environments IS NULL), sum(state_bytes)
  FROM ${givenUsers} LEFT JOIN end_users USING (account_id, project_id, end_user_id)
  GROUP BY account_id, project_id, part
  ON CONFLICT (account_id, project_id, part) DO UPDATE
  SET end_users = user_usage.end_users + excluded.end_users, bytes = user_usage.bytes + excluded.bytes`;

/** A row for each end user. */
const addMembers = `
  INSERT INTO end_users (account_id, project_id, end_user_id, environments)
  SELECT account_id, project_id, end_user_id, bit_or(bit) FROM ${givenUsers}
  GROUP BY account_id, project_id, end_user_id
  ON CONFLICT (account_id, project_id, end_user_id) DO UPDATE
  SET environments = end_users.environments | excluded.environments`;
