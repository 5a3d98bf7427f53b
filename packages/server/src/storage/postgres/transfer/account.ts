/**
 * Imports one account into a database in use by nodes. Until the account's row exists, the written records are an orphan (sweep.ts): they
 * are not read, and any node's sweep removes them, but not before the orphan is due.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../../common/time/clock.ts';
import { integerAt } from '../../rows/columns.ts';
import {
  type AccountTarget,
  anotherImport,
  importLeaseMilliseconds,
  publishedKinds,
} from '../../transfer/account-import.ts';
import { TakenId, takenIdQuery } from '../../transfer/ids.ts';
import type { TransferKind, TransferRecord } from '../../transfer/kinds.ts';
import { openDatabase, reachDatabase } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';
import { orphanDelayMilliseconds, removeLeft } from '../sweep/sweep.ts';
import type { TransferAddress } from './open.ts';
import { openTransferReader } from './read.ts';
import { totals, writeRecords } from './write.ts';

/** After a deletion, statements begun before it may still write for this long. */
const settlingMilliseconds = 5_000;

/**
 * Takes over the remains of an account, under a new orphan. Returns when the newest deletion will have settled, if it may not have yet;
 * undefined if the account exists.
 */
async function takeOver(query: Query, accountId: string, orphanId: string) {
  // No row: no such account.
  if ((await query('SELECT 1 AS found FROM accounts WHERE account_id = $1', [accountId])).length > 0) return undefined;
  // A row for each deletion that is not cleared yet, and for a killed import.
  const left = await query('DELETE FROM orphans WHERE account_id = $1 AND project_id IS NULL RETURNING due_at', [
    accountId,
  ]);
  await query('INSERT INTO orphans (account_id, orphan_id, project_id, due_at) VALUES ($1, $2, NULL, $3)', [
    accountId,
    orphanId,
    now() + importLeaseMilliseconds,
  ]);
  const deletedAt = left.map((row) => integerAt(row, 'due_at') - orphanDelayMilliseconds).filter((at) => at <= now());
  return { hasLeft: left.length > 0, settledAt: Math.max(0, ...deletedAt) + settlingMilliseconds };
}

/** Throws `TakenId` if a different account has an id of these records. */
async function requireOwnIds(query: Query, accountId: string, kind: TransferKind, records: readonly TransferRecord[]) {
  const table = kind === 'sign_ins' ? 'refresh_families' : kind;
  const taken = takenIdQuery(kind, records, {
    table,
    found: 'SELECT json_array_elements_text(CAST(CAST($1 AS text) AS json))',
  });
  if (taken !== undefined && (await query(taken.sql, [taken.ids, accountId])).length > 0) throw new TakenId(kind);
}

/** Opens the database for an account with this id. Only this target writes records of the account. Rejects if it cannot be reached. */
export async function openPostgresAccountTarget({ url }: TransferAddress, accountId: string): Promise<AccountTarget> {
  const database = openDatabase(await reachDatabase(url, 1), { isPatient: true });
  const orphan = { accountId, projectId: null, orphanId: randomUUID() };
  const named = [accountId, orphan.orphanId];
  let written = 0;

  /** Runs `work` while the written records still belong to this import. */
  const held = <Result>(work: (query: Query) => Promise<Result>): Promise<Result> =>
    database.transaction('read committed', async (query) => {
      // No row: another import of the account has begun.
      const rows = await query('UPDATE orphans SET due_at = $3 WHERE account_id = $1 AND orphan_id = $2 RETURNING due_at', [
        ...named,
        now() + importLeaseMilliseconds,
      ]);
      if (rows.length === 0) throw anotherImport(accountId);
      return work(query);
    });
  const release = (query: Query) => query('DELETE FROM orphans WHERE account_id = $1 AND orphan_id = $2', named);

  return {
    ...openTransferReader(database.query, 'incoming'),
    async begin(onClearing) {
      const taken = await database.transaction('read committed', (query) => takeOver(query, accountId, orphan.orphanId));
      if (taken === undefined) return 'exists';
      if (taken.hasLeft) onClearing();
      await sleep(Math.max(0, Math.min(settlingMilliseconds, taken.settledAt - now())));
      await removeLeft(database, orphan);
      return 'begun';
    },
    async write(kind, records) {
      written += records.length;
      await held(async (query) => {
        await requireOwnIds(query, accountId, kind, records);
        await writeRecords(query, kind, records, written);
      });
    },
    renew: () => held(async () => undefined),
    count: () =>
      held(async (query) => {
        for (const sql of totals.account.records) await query(sql, [accountId]);
      }),
    publish: (published) =>
      held(async (query) => {
        await release(query);
        for (const kind of publishedKinds) {
          const records = published[kind];
          await requireOwnIds(query, accountId, kind, records);
          if (records.length > 0) await writeRecords(query, kind, records, records.length, ['developers']);
        }
        for (const sql of totals.account.accounts) await query(sql, [accountId]);
      }),
    async abandon() {
      await held(async () => undefined);
      await removeLeft(database, orphan);
      await release(database.query);
    },
    close: () => database.close(),
  };
}
