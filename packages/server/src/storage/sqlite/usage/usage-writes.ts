import type { DatabaseSync } from 'node:sqlite';
import { limitColumns, requestsKeptMilliseconds } from '../../usage-rows.ts';
import type { QuotaName, QuotaReached } from '../../usage-store.ts';
import type { Commands } from '../writer/commands.ts';
import { statement } from '../writer/statement.ts';

/** The writes of use and limits by themselves. Each runs inside the writer's transaction and a savepoint of its own. */
export function usageWrites(database: DatabaseSync): Pick<Commands, 'addApiRequests' | 'writeOwnLimits'> {
  // No row: no such account.
  const find = statement(database, 'SELECT account_number, api_requests_max FROM accounts WHERE account_id = ?');
  // One row, always.
  const add = statement(
    database,
    `INSERT INTO api_requests (account_number, month_starts_at, requests) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests RETURNING requests`,
  );
  // Any number of rows, but one in nearly all months.
  const removeOld = statement(database, 'DELETE FROM api_requests WHERE account_number = ? AND month_starts_at < ?');
  return {
    addApiRequests: (monthStartsAt, counts) =>
      counts.map(({ accountId, requests }) => {
        const account = find.get(accountId);
        if (account === undefined) return undefined;
        const number = account.account_number as number;
        const total = add.get(number, monthStartsAt, requests)?.requests as number;
        if (total === requests) removeOld.changes(number, monthStartsAt - requestsKeptMilliseconds);
        return { total, ownLimit: account.api_requests_max as number | null };
      }),
    writeOwnLimits(accountId, changes) {
      if (find.get(accountId) === undefined) return 'no_account';
      for (const [name, limit] of Object.entries(changes)) {
        const column = limitColumns[name as QuotaName];
        // One row: the account was found in this transaction.
        database.prepare(`UPDATE accounts SET ${column} = ?2 WHERE account_id = ?1`).run(accountId, limit ?? null);
      }
      return 'written';
    },
  };
}

/** What the creation and deletion of projects and end users change in the totals of accounts. */
export interface UsageChanges {
  /** Why the account may not have one project more, if it may not; 0 in `projectsMax` is unlimited. */
  refuseProject(accountNumber: number, projectsMax: number): QuotaReached | undefined;
  addProject(accountNumber: number): void;
  /** To be called while the heads of the project are still there; `project` is the row that it had. */
  removeProject(project: DeletedProject): void;
  removeEndUser(accountNumber: number, projectId: number, bytes: number): void;
}

export interface DeletedProject {
  readonly accountNumber: number;
  readonly projectId: number;
  readonly endUsers: number;
  readonly userStateBytes: number;
}

/** Returns these changes, for use within a command that runs after a flush of `UsageTotals`. */
export function usageChanges(database: DatabaseSync): UsageChanges {
  // One row, always: the account was found in the same transaction; and so below.
  const findProjects = statement(database, 'SELECT projects, projects_max FROM accounts WHERE account_number = ?');
  const addProject = statement(database, 'UPDATE accounts SET projects = projects + 1 WHERE account_number = ?');
  const removeProject = statement(
    database,
    `UPDATE accounts SET projects = projects - 1, end_users = end_users - ?3, storage_bytes = storage_bytes - ?4
       - (SELECT coalesce(sum(kept_bytes), 0) FROM public_state_heads WHERE head_key BETWEEN ?2 * 4 AND ?2 * 4 + 3)
     WHERE account_number = ?1`,
  );
  const removeFromAccount = statement(
    database,
    'UPDATE accounts SET end_users = end_users - 1, storage_bytes = storage_bytes - ?2 WHERE account_number = ?1',
  );
  const removeFromProject = statement(
    database,
    'UPDATE projects SET end_users = end_users - 1, user_state_bytes = user_state_bytes - ?2 WHERE project_id = ?1',
  );
  return {
    refuseProject(accountNumber, projectsMax) {
      const row = findProjects.get(accountNumber) as { projects: number; projects_max: number | null };
      const { projects: used } = row;
      const limit = row.projects_max ?? projectsMax;
      return limit === 0 || used < limit ? undefined : { kind: 'quota', quota: 'projects', limit, used };
    },
    addProject: (accountNumber) => void addProject.changes(accountNumber),
    removeProject: ({ accountNumber, projectId, endUsers, userStateBytes }) =>
      void removeProject.changes(accountNumber, projectId, endUsers, userStateBytes),
    removeEndUser(accountNumber, projectId, bytes) {
      removeFromAccount.changes(accountNumber, bytes);
      removeFromProject.changes(projectId, bytes);
    },
  };
}
