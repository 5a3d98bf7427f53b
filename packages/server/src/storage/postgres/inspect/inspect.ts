/** Inspects a database by reading it, with or without running nodes. Changes nothing. */

import { storedGuestId } from '../../contract/guests.ts';
import { type ClockMark, type Marks, unmarked } from '../../contract/installation.ts';
import { documentName } from '../../history/inspection.ts';
import { integerAt } from '../../rows/columns.ts';
import { damagedUserStates, keepsUserStateVersions, miscountedUserStates } from '../../sql/states/user-state-inspection.ts';
import { readClockMark } from '../../sql/upkeep/clock-trust.ts';
import {
  countRecords,
  type DuplicateUsers,
  findDuplicateUsers,
  findServiceIdentity,
  findUnconfigured,
  inspectReferences,
  inspectTotals,
  type RecordCounts,
  type ServiceIdentity,
  type UnconfiguredProviders,
} from '../../sql/upkeep/inspection.ts';
import { readMarksIfAny } from '../../sql/upkeep/store-rollback.ts';
import { type Database, reachDatabase, withDatabase } from '../connection/database.ts';
import { measureOffset } from '../connection/database-clock.ts';
import { requireDurability } from '../connection/durability.ts';
import type { Query } from '../connection/query.ts';
import { misplacedTables } from '../schema/distribution.ts';
import { requireComplete } from '../schema/migrations.ts';
import { userStateSteps } from '../state/user/user-state-steps.ts';
import { takeSteps } from '../steps.ts';
import { usageParts } from '../usage/usage-sums.ts';
import { damagedTexts } from './history.ts';
import { type PostgresUpgradePreview, readUpgradePreview } from './upgrade.ts';

export interface PostgresFacts {
  /** For example `18.4`. */
  readonly serverVersion: string;
  readonly databaseBytes: number;
  readonly connections: { readonly used: number; readonly max: number };
  /** Null with `isQuick`, which does not read whole tables. */
  readonly counts: RecordCounts | null;
}

/** A fault that was found. */
export interface PostgresFault {
  readonly check: 'soundness' | 'migrations' | 'schema' | 'copy' | 'history' | 'references' | 'usage';
  readonly message: string;
}

export interface PostgresInspection {
  readonly facts: PostgresFacts;
  readonly faults: readonly PostgresFault[];
  /** How far the database's clock is ahead of the machine's, and the newest time at which a node has served. */
  readonly clock: { readonly offset: number; readonly mark: ClockMark | undefined };
  /** A preview of the upgrade that starting this program would make, and the migrations of an unfinished upgrade. */
  readonly upgrade: PostgresUpgradePreview;
  /** Some projects that allow sign-in methods that cannot be used. */
  readonly unconfigured: readonly UnconfiguredProviders[];
  readonly marks: Marks;
  /** Some users with the same address. */
  readonly duplicateUsers: readonly DuplicateUsers[];
  /** Tables that are not where they belong, in words; only in a database of several machines. */
  readonly misplaced: readonly string[];
}

/** Inspects the database of a URL. Rejects if it cannot be reached. */
export async function inspectPostgres(
  url: string,
  { isQuick }: { readonly isQuick: boolean },
): Promise<PostgresInspection> {
  return withDatabase(await reachDatabase(url, 1), async (database) => {
    const { offset } = await measureOffset(database.query);
    const clock = { offset, mark: await takeSteps(database.query, readClockMark()).catch(() => undefined) };
    const facts = await readFacts(database);
    const upgrade = await readUpgradePreview(database);
    const faults = [...(await unmet('soundness', requireDurability(database))), ...schema(upgrade)];
    const marks = upgrade.migration === 0 ? unmarked : await takeSteps(database.query, readMarksIfAny());
    const misplaced = await misplacedTables(database.query);
    const isStrange = faults.some(({ check }) => check === 'schema' || check === 'migrations');
    if (isQuick || isStrange)
      return { facts, faults, clock, upgrade, unconfigured: [], duplicateUsers: [], marks, misplaced };
    faults.push(...(await unmet('copy', requireComplete(database.query, 'the database'))));
    const counts = await takeSteps(database.query, countRecords());
    const unconfigured = await takeSteps(database.query, findUnconfigured());
    const duplicateUsers = await takeSteps(database.query, findDuplicateUsers());
    return {
      facts: { ...facts, counts },
      faults: [...faults, ...(await inspectRecords(database))],
      clock,
      upgrade,
      unconfigured,
      duplicateUsers,
      marks,
      misplaced,
    };
  });
}

/**
 * Reads which keys and providers identify the service on the database of a URL. `clockOffset`: how many milliseconds its clock is ahead of
 * the machine's.
 */
export async function readServiceIdentity(url: string): Promise<ServiceIdentity & { readonly clockOffset: number }> {
  return withDatabase(await reachDatabase(url, 1), async ({ query }) => {
    const { offset } = await measureOffset(query);
    return { clockOffset: offset, ...(await takeSteps(query, findServiceIdentity())) };
  });
}

const { userStates } = userStateSteps(new Uint8Array());

/** Returns the inconsistencies in the records of a database. Reads all records. */
export async function inspectRecords(database: Database): Promise<PostgresFault[]> {
  const { query } = database;
  const texts = [...(await damagedTexts(query)), ...(await takeSteps(query, damagedUserStates(userStates)))];
  const references = await takeSteps(query, inspectReferences());
  const totals = [
    ...(await takeSteps(query, inspectTotals())),
    ...(await takeSteps(query, miscountedUserStates(userStates))),
  ];
  const found = { history: [...(await gaps(query)), ...texts], references, usage: [...totals, ...(await usage(query))] };
  return Object.entries(found).flatMap(([check, messages]) =>
    messages.map((message) => ({ check: check as keyof typeof found, message })),
  );
}

async function readFacts({ query }: Database): Promise<PostgresFacts> {
  // One row, always.
  const [row = {}] = await query(
    `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       current_setting('max_connections')::bigint AS max`,
  );
  return {
    serverVersion: String(row.version).replace(/ .*/s, ''),
    databaseBytes: integerAt(row, 'bytes'),
    connections: { used: integerAt(row, 'used'), max: integerAt(row, 'max') },
    counts: null,
  };
}

/** Returns the reason why `demand` rejects, if it does. */
async function unmet(check: PostgresFault['check'], demand: Promise<void>): Promise<PostgresFault[]> {
  try {
    await demand;
    return [];
  } catch (error) {
    return [{ check, message: error instanceof Error ? error.message : String(error) }];
  }
}

function schema({ migration, refusal }: PostgresUpgradePreview): PostgresFault[] {
  if (migration === 0) return [{ check: 'schema', message: 'the service has never run on this database' }];
  return refusal === null ? [] : [{ check: 'migrations', message: refusal }];
}

/** How many places with the same fault are listed. Records without an account were left by a deletion, or are being imported. */
const namedMax = 5;

/**
 * Every version from the first one must exist, except for numbers skipped after the store went back (version-floors.ts), and the newest
 * must be the one that the environment names.
 */
async function gaps(query: Query): Promise<string[]> {
  const { versionFloor } = await takeSteps(query, readMarksIfAny());
  // A row for each environment whose history has a gap or ends elsewhere.
  const rows = await query(
    `SELECT environments.account_id, slug, environments.environment
     FROM environments JOIN accounts ON accounts.account_id = environments.account_id
     LEFT JOIN (
       SELECT account_id, project_id, environment, version, depth,
         version - lag(version) OVER (PARTITION BY account_id, project_id, environment ORDER BY version) AS step
       FROM public_state_versions
     ) AS versions
       ON versions.account_id = environments.account_id AND versions.project_id = environments.project_id
       AND versions.environment = environments.environment
     GROUP BY environments.account_id, slug, environments.environment, environments.version, is_present
     HAVING (is_present AND (max(versions.version) IS DISTINCT FROM environments.version
         OR count(*) FILTER (WHERE step <> 1 AND (depth > 0 OR versions.version > $1)) > 0))
       OR (NOT is_present AND count(versions.version) > 0)
     ORDER BY 1, 2, 3 LIMIT ${namedMax}`,
    [versionFloor],
  );
  return rows.map((row) => `versions of ${documentName(row)} are missing`);
}

/** The counts for limits must be right. */
async function usage(query: Query): Promise<string[]> {
  const bytes = (await takeSteps(query, keepsUserStateVersions())) ? 'state_bytes + history_bytes' : 'state_bytes';
  // A row for each environment with a wrong total of bytes.
  const kept = await query(
    `SELECT environments.account_id, slug, environments.environment
     FROM environments JOIN accounts ON accounts.account_id = environments.account_id
     LEFT JOIN public_state_versions AS versions
       ON versions.account_id = environments.account_id AND versions.project_id = environments.project_id
       AND versions.environment = environments.environment
     GROUP BY environments.account_id, slug, environments.environment, kept_bytes
     HAVING coalesce(sum(state_bytes + coalesce(comment_bytes, 0)), 0) <> kept_bytes ORDER BY 1, 2, 3 LIMIT ${namedMax}`,
  );
  // No row: the database was not upgraded yet, and has no guest who has signed up.
  const columns = await query(
    `SELECT 1 FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'user_states' AND column_name = 'is_linked'`,
  );
  const isGuest = `end_user_id ~ '${storedGuestId.postgres}'${columns.length > 0 ? ' AND is_linked = 0' : ''}`;
  // A row for each project with wrong totals of players or their states.
  const users = await query(
    `SELECT account_id, slug FROM projects JOIN accounts USING (account_id)
     LEFT JOIN (SELECT account_id, project_id, sum(end_users) AS end_users, sum(bytes) AS bytes,
         sum(end_users) FILTER (WHERE part >= ${usageParts}) AS guests, sum(bytes) FILTER (WHERE part >= ${usageParts}) AS guest_bytes
       FROM user_usage
       GROUP BY account_id, project_id) AS counted USING (account_id, project_id)
     LEFT JOIN (SELECT account_id, project_id, count(DISTINCT end_user_id) AS end_users, sum(${bytes}) AS bytes,
         count(DISTINCT end_user_id) FILTER (WHERE ${isGuest}) AS guests,
         sum(${bytes}) FILTER (WHERE ${isGuest}) AS guest_bytes
       FROM user_states GROUP BY account_id, project_id) AS found USING (account_id, project_id)
     WHERE coalesce(counted.end_users, 0) <> coalesce(found.end_users, 0)
       OR coalesce(counted.bytes, 0) <> coalesce(found.bytes, 0)
       OR coalesce(counted.guests, 0) <> coalesce(found.guests, 0)
       OR coalesce(counted.guest_bytes, 0) <> coalesce(found.guest_bytes, 0)
     ORDER BY 1, 2 LIMIT ${namedMax}`,
  );
  return [
    ...kept.map((row) => `the bytes of ${documentName(row)} are counted wrongly`),
    ...users.map(({ account_id: accountId, slug }) => `the end users of ${accountId}/${slug} are counted wrongly`),
  ];
}
