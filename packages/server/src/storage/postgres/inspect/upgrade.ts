/** Previews the upgrade that starting this program would make to a database, and finishes upgrades. */

import type { SigningKeyRecord } from '../../contract/sign-ins.ts';
import { integerAt } from '../../rows/columns.ts';
import { countWordless } from '../../sql/players/player-words.ts';
import { previewUpgrade, type UpgradePreview } from '../../sql/schema/upgrade-preview.ts';
import { type Database, reachDatabase, withDatabase } from '../connection/database.ts';
import { appliedMigrations, migrations, readSigningKeys } from '../schema/migrations.ts';
import { type FinishOutcome, finishUpgrade, unfinished } from '../schema/upgrade.ts';
import { takeSteps } from '../steps.ts';

export interface PostgresUpgradePreview extends UpgradePreview {
  /** Rows of tables that get an index, as estimated by the planner. */
  readonly indexedRows: number;
  /** The signing keys that a start would try to open with the secret key. */
  readonly signingKeys: readonly SigningKeyRecord[];
  /** Accounts with players who are not yet found by words. */
  readonly wordless: number;
  /** The migrations that a running older program may not know. */
  readonly unfinished: readonly number[];
}

/** Inspects the database of a URL, with or without running nodes. Changes nothing. Rejects if it cannot be reached. */
export const previewPostgresUpgrade = async (url: string): Promise<PostgresUpgradePreview> =>
  withDatabase(await reachDatabase(url, 1), readUpgradePreview);

/** The same for an open database. */
export async function readUpgradePreview({ query }: Pick<Database, 'query'>): Promise<PostgresUpgradePreview> {
  if (!(await hasColumn(query, 'number')))
    return { ...previewUpgrade([], migrations), indexedRows: 0, signingKeys: [], wordless: 0, unfinished: [] };
  const preview = previewUpgrade(await appliedMigrations(query), migrations);
  // One row, always.
  const [row = {}] = await query(
    `SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint AS rows FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(string_to_array($1, ','))`,
    [preview.indexed.join(',')],
  );
  const open = (await hasColumn(query, 'finished_at')) ? await unfinished(query) : [];
  const signingKeys = preview.migration > 0 ? await readSigningKeys(query) : [];
  const wordless = await takeSteps(query, countWordless(preview.migration));
  return { ...preview, indexedRows: integerAt(row, 'rows'), signingKeys, wordless, unfinished: open };
}

/** Finishes the upgrade of the database of a URL. Rejects if it cannot be reached, or this program is too old for it. */
export async function finishPostgresUpgrade(url: string): Promise<FinishOutcome> {
  return withDatabase(await reachDatabase(url, 1), async (database) =>
    (await hasColumn(database.query, 'finished_at')) ? finishUpgrade(database) : { kind: 'not_begun' },
  );
}

/** Whether the table of migrations has a column; a database on which no program has run has no such table. */
async function hasColumn(query: Database['query'], column: string): Promise<boolean> {
  const rows = await query(
    `SELECT 1 FROM information_schema.columns
     WHERE table_name = 'migrations' AND table_schema = current_schema() AND column_name = $1`,
    [column],
  );
  return rows.length > 0;
}
