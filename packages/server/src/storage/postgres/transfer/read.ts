/** Reads the records of a database for a copy, page by page along the keys of its tables. */
import { type ColdTableName, coldTable, forColdTables, ownerExists } from '../../cold/tables.ts';
import {
  batchBytesMax,
  batchRecordsMax,
  RecordTaker,
  type TransferBatch,
  type TransferKind,
  type TransferReader,
} from '../../transfer.ts';
import type { Query, Row } from '../connection/query.ts';
import { columnType } from './tables.ts';

/** Types of key columns: how the text of a cursor becomes a value, and the start before all values. */
const keyTypes = {
  text: { cast: (parameter: string) => `${parameter}::text`, start: '' },
  bigint: { cast: (parameter: string) => `${parameter}::bigint`, start: 0 },
  uuid: { cast: (parameter: string) => `${parameter}::uuid`, start: '00000000-0000-0000-0000-000000000000' },
  bytea: { cast: (parameter: string) => `decode(${parameter}::text, 'hex')`, start: '' },
} as const;

interface Reading {
  readonly table: string;
  /** The columns that order a page, with types; no two rows are equal in them. */
  readonly keys: string;
  /** Fields of a record that are not columns of the table, as SQL over `page` and what is joined to it. */
  readonly fields?: string;
  readonly joins?: string;
  /** Whether a row belongs to something that exists, and was not left by a deletion. */
  readonly isAlive?: string;
}

const ofAccount = {
  joins: 'LEFT JOIN accounts ON accounts.account_id = page.account_id',
  isAlive: 'accounts.account_id IS NOT NULL',
};

/** Rows that name their project by its id. */
const ofProject = {
  fields: 'projects.slug AS slug',
  joins: `
    LEFT JOIN accounts ON accounts.account_id = page.account_id
    LEFT JOIN projects ON projects.account_id = page.account_id AND projects.project_id = page.project_id`,
  isAlive: 'accounts.account_id IS NOT NULL AND projects.project_id IS NOT NULL',
};

/** Rows that name their project by its slug as well. */
const ofNamedProject = {
  joins: `
    LEFT JOIN accounts ON accounts.account_id = page.account_id
    LEFT JOIN projects ON projects.account_id = page.account_id AND projects.slug = page.slug
      AND projects.project_id = page.project_id`,
  isAlive: ofProject.isAlive,
};

/** The highest version of a deleted end user of an environment, or the floor of the whole environment. */
const userVersionFloor = `greatest(page.user_version_floor, (
  SELECT max(floors.version) FROM end_user_floors AS floors
  WHERE floors.account_id = page.account_id AND floors.project_id = page.project_id
    AND floors.environment = page.environment))`;

const coldReading = (table: ColdTableName): Reading => ({
  table,
  keys: coldTable(table)
    .key.map((name) => `${name} ${columnType(table, name)}`)
    .join(', '),
  isAlive: ownerExists(table, 'page'),
});

const readings: Readonly<Record<TransferKind, Reading>> = {
  ...forColdTables(coldReading),
  installation: { table: 'installation', keys: 'id bigint' },
  accounts: { table: 'accounts', keys: 'account_id text' },
  api_requests: { table: 'api_requests', keys: 'account_id text, month_starts_at bigint', ...ofAccount },
  projects: { table: 'projects', keys: 'account_id text, slug text', ...ofAccount },
  environments: {
    table: 'environments',
    keys: 'account_id text, slug text, environment bigint',
    ...ofAccount,
    fields: `CASE WHEN page.is_present THEN 1 ELSE 0 END AS is_present, ${userVersionFloor} AS user_version_floor`,
  },
  public_state_versions: {
    table: 'public_state_versions',
    keys: 'account_id text, project_id uuid, environment bigint, version bigint',
    ...ofProject,
  },
  user_states: {
    table: 'user_states',
    keys: 'account_id text, project_id uuid, environment bigint, created_micros bigint, record_id uuid',
    ...ofProject,
    fields: `${ofProject.fields}, floor(page.created_micros / 1000)::bigint AS created_at`,
  },
  sign_ins: {
    table: 'authorization_codes',
    keys: 'code_hash bytea',
    fields: `page.expires_at AS code_expires_at, families.created_at AS created_at, families.idle_expires_at,
      families.absolute_expires_at, families.secret_hash, families.previous_secret_hash, families.replaced_at`,
    joins: `LEFT JOIN refresh_families AS families ON families.family_id = page.family_id ${ofNamedProject.joins}`,
    isAlive: 'accounts.account_id IS NOT NULL AND (page.project_id IS NULL OR projects.project_id IS NOT NULL)',
  },
  write_repeats: {
    table: 'write_repeats',
    keys: 'account_id text, scope bytea, slot bigint',
    ...ofAccount,
  },
};

interface Key {
  readonly name: string;
  readonly type: keyof typeof keyTypes;
}

const keysOf = (keys: string): Key[] =>
  keys.split(', ').map((key) => {
    const [name, type] = key.split(' ') as [string, Key['type']];
    return { name, type };
  });

/** These rows are as large as states: a page ends when they reach the size of a batch. */
const states: ReadonlySet<TransferKind> = new Set(['public_state_versions', 'user_states']);

/** A row for each of the next records after the one with the keys $1, $2 …; none when there are no more. */
function pageStatement(kind: TransferKind): string {
  const { table, keys, fields, joins = '', isAlive = 'true' }: Reading = readings[kind];
  const names = keysOf(keys).map(({ name }) => name);
  const after = keysOf(keys).map(({ type }, index) => keyTypes[type].cast(`$${index + 1}`));
  const order = (of: string) => names.map((name) => `${of}.${name}`).join(', ');
  const first = `
    SELECT * FROM ${table} WHERE (${names.join(', ')}) > (${after.join(', ')})
    ORDER BY ${order(table)} LIMIT ${batchRecordsMax}`;
  const bounded = `
    SELECT * FROM (
      SELECT found.*, sum(state_bytes) OVER (ORDER BY ${order('found')}) - state_bytes AS bytes_before FROM (${first}) AS found
    ) AS counted WHERE bytes_before < ${batchBytesMax}`;
  return `
    SELECT ${['page.*', ...(fields ? [fields] : []), `${isAlive} AS is_alive`].join(', ')}
    FROM (${states.has(kind) ? bounded : first}) AS page ${joins} ORDER BY ${order('page')}`;
}

const pageStatements = Object.fromEntries(
  (Object.keys(readings) as TransferKind[]).map((kind) => [kind, pageStatement(kind)]),
) as Readonly<Record<TransferKind, string>>;

/** Faster estimates for what would take long to count. One row each, always. */
const estimates: Readonly<Partial<Record<TransferKind, string>>> = {
  public_state_versions: 'SELECT coalesce(sum(version), 0)::bigint AS records FROM environments WHERE is_present',
};

/** A value of a key in a cursor. */
const cursorValue = (value: unknown): string | number =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : (value as string | number);

type Cursor = readonly [keys: readonly (string | number)[], state: ReturnType<RecordTaker['state']>];

/** Returns the reader of a database. Each page is of the moment in which it is read. */
export function createTransferReader(query: Query): TransferReader {
  return {
    async estimate(kind) {
      const [row] = await query(estimates[kind] ?? `SELECT count(*) AS records FROM ${readings[kind].table}`);
      return row?.records as number;
    },
    async *read(kind, cursor): AsyncGenerator<TransferBatch> {
      const keys = keysOf(readings[kind].keys);
      const start = keys.map(({ type }) => keyTypes[type].start);
      let [after, state]: Cursor = cursor === null ? [start, null] : JSON.parse(cursor);
      const taker = new RecordTaker(kind, state);
      for (;;) {
        const rows: readonly Row[] = await query(pageStatements[kind], after);
        const last = rows.at(-1);
        if (last === undefined) return;
        const records = rows.filter((row) => row.is_alive === true).map((row) => taker.take(row));
        after = keys.map(({ name }) => cursorValue(last[name]));
        state = taker.state();
        if (records.length > 0) yield { records, cursor: JSON.stringify([after, state]) };
      }
    },
  };
}
