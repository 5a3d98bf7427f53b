import type { DatabaseSync } from 'node:sqlite';
import { integerAt, optionalIntegerAt } from '../../columns.ts';
import type { QuotaReached } from '../../usage-store.ts';
import { statement } from '../directory/database.ts';

interface AccountTotals {
  readonly accountId: string;
  endUsers: number;
  storageBytes: number;
  readonly ownEndUsersMax: number | null;
  readonly ownStorageBytesMax: number | null;
  isChanged: boolean;
}

interface ProjectTotals {
  readonly projectId: number;
  endUsers: number;
  userStateBytes: number;
  isChanged: boolean;
}

/** How many accounts and how many projects are kept in memory at most; about 120 bytes each. */
const totalsMax = 50_000;

/**
 * What accounts use, kept in memory while states are written, so that a transaction of many writes changes the row of an
 * account once. The writer calls `flush` before it commits, and before any statement that reads or changes these rows
 * itself. What is remembered is true under the same rule as in `PublicStateWrites`.
 */
export class UsageTotals {
  readonly #accounts = new Map<string, AccountTotals>();
  readonly #projects = new Map<number, ProjectTotals>();
  #changedAccounts: AccountTotals[] = [];
  #changedProjects: ProjectTotals[] = [];
  readonly #findAccount;
  readonly #findProject;
  readonly #putAccount;
  readonly #putProject;

  constructor(database: DatabaseSync) {
    // One row, always: the project that is written to was found in it.
    this.#findAccount = statement(
      database,
      `SELECT coalesce(end_users, 0) AS end_users, coalesce(storage_bytes, 0) AS storage_bytes, end_users_max, storage_bytes_max
       FROM accounts LEFT JOIN account_usage USING (account_id) WHERE account_id = ?`,
    );
    // No row: its end users have stored nothing yet.
    this.#findProject = statement(database, 'SELECT end_users, user_state_bytes FROM project_usage WHERE project_id = ?');
    // One row, always.
    this.#putAccount = statement(
      database,
      `INSERT INTO account_usage (account_id, end_users, storage_bytes) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET end_users = excluded.end_users, storage_bytes = excluded.storage_bytes`,
    );
    // One row, always.
    this.#putProject = statement(
      database,
      `INSERT INTO project_usage (project_id, end_users, user_state_bytes) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET end_users = excluded.end_users, user_state_bytes = excluded.user_state_bytes`,
    );
  }

  /**
   * Returns why the account may not store this many bytes more, or undefined if it may. 0 in `bytesMax` is unlimited. Fewer
   * bytes are always allowed.
   */
  refuseBytes(accountId: string, bytes: number, bytesMax: number): QuotaReached | undefined {
    const { ownStorageBytesMax, storageBytes: used } = this.#account(accountId);
    const limit = ownStorageBytesMax ?? bytesMax;
    return limit === 0 || bytes <= 0 || used + bytes <= limit
      ? undefined
      : { kind: 'quota', quota: 'storageBytes', limit, used };
  }

  /** Returns why the account may not have one end user more, or undefined if it may. 0 in `endUsersMax` is unlimited. */
  refuseEndUser(accountId: string, endUsersMax: number): QuotaReached | undefined {
    const { ownEndUsersMax, endUsers: used } = this.#account(accountId);
    const limit = ownEndUsersMax ?? endUsersMax;
    return limit === 0 || used < limit ? undefined : { kind: 'quota', quota: 'endUsers', limit, used };
  }

  /** Counts bytes of public state. */
  addBytes(accountId: string, bytes: number): void {
    this.#change(this.#account(accountId), 0, bytes);
  }

  /** Counts the state of an end user, who may be new. `bytes` is negative when the state got shorter. */
  addUserState(accountId: string, projectId: number, endUsers: 0 | 1, bytes: number): void {
    if (endUsers === 0 && bytes === 0) return;
    this.#change(this.#account(accountId), endUsers, bytes);
    const project = this.#project(projectId);
    project.endUsers += endUsers;
    project.userStateBytes += bytes;
    if (!project.isChanged) this.#changedProjects.push(project);
    project.isChanged = true;
  }

  /** Writes what has changed. */
  flush(): void {
    for (const account of this.#changedAccounts) {
      this.#putAccount.changes(account.accountId, account.endUsers, account.storageBytes);
      account.isChanged = false;
    }
    for (const project of this.#changedProjects) {
      this.#putProject.changes(project.projectId, project.endUsers, project.userStateBytes);
      project.isChanged = false;
    }
    if (this.#changedAccounts.length > 0) this.#changedAccounts = [];
    if (this.#changedProjects.length > 0) this.#changedProjects = [];
  }

  /** Forgets everything, including changes that are not flushed. */
  forget(): void {
    this.#accounts.clear();
    this.#projects.clear();
    if (this.#changedAccounts.length > 0) this.#changedAccounts = [];
    if (this.#changedProjects.length > 0) this.#changedProjects = [];
  }

  #change(account: AccountTotals, endUsers: number, bytes: number): void {
    account.endUsers += endUsers;
    account.storageBytes += bytes;
    if (!account.isChanged) this.#changedAccounts.push(account);
    account.isChanged = true;
  }

  #account(accountId: string): AccountTotals {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const row = this.#findAccount.get(accountId);
    if (row === undefined) throw new Error(`account ${accountId} is gone in the middle of a write`);
    const account: AccountTotals = {
      accountId,
      endUsers: integerAt(row, 'end_users'),
      storageBytes: integerAt(row, 'storage_bytes'),
      ownEndUsersMax: optionalIntegerAt(row, 'end_users_max'),
      ownStorageBytesMax: optionalIntegerAt(row, 'storage_bytes_max'),
      isChanged: false,
    };
    this.#makeRoom(this.#accounts);
    this.#accounts.set(accountId, account);
    return account;
  }

  #project(projectId: number): ProjectTotals {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const row = this.#findProject.get(projectId);
    const project: ProjectTotals = {
      projectId,
      endUsers: row === undefined ? 0 : integerAt(row, 'end_users'),
      userStateBytes: row === undefined ? 0 : integerAt(row, 'user_state_bytes'),
      isChanged: false,
    };
    this.#makeRoom(this.#projects);
    this.#projects.set(projectId, project);
    return project;
  }

  #makeRoom({ size }: { readonly size: number }): void {
    if (size < totalsMax) return;
    this.flush();
    this.forget();
  }
}
