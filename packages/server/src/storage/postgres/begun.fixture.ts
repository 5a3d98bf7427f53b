/** Transactions that are held open, so that a test can bring in whatever is to meet them half-way. */
import { expect, vi } from 'vitest';
import { unobserved } from '../background.ts';
import type { Database } from './connection.ts';
import type { Parts } from './parts.ts';

export interface Begun<Result> {
  readonly result: Result;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

class RolledBack extends Error {}

/** Runs verbs as another node does, up to the point where they would be committed. */
export async function begin<Result>(
  database: Database,
  work: (parts: Pick<Parts, 'database' | 'background'>) => Promise<Result>,
): Promise<Begun<Result>> {
  const { promise: end, resolve: commit, reject: rollBack } = Promise.withResolvers<void>();
  let ended: Promise<void> = end;
  const result = await new Promise<Result>((resolve, reject) => {
    ended = database.transaction('read committed', async (query) => {
      const within: Database = {
        query,
        transaction: (_isolation, inner) => inner(query),
        waiting: () => database.waiting(),
        close: () => database.close(),
      };
      resolve(await work({ database: within, background: unobserved }));
      await end;
    });
    ended.catch(reject);
  });
  return {
    result,
    commit() {
      commit();
      return ended;
    },
    async rollBack() {
      rollBack(new RolledBack());
      await expect(ended).rejects.toBeInstanceOf(RolledBack);
    },
  };
}

/** Resolves when so many statements in the database wait for what is held open. */
export async function untilWaiting(database: Database, statements = 1): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await database.query(
        `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(row?.waiting).toBe(statements);
    },
    { timeout: 3_000, interval: 5 },
  );
}
