import type { DatabaseSync } from 'node:sqlite';
import type { QuotaReached } from '../../usage-store.ts';
import { statement } from '../directory/database.ts';

interface AccountTotals {
  readonly accountNumber: number;
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
  readonly #accounts = new Map<number, AccountTotals>();
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
      'SELECT end_users, storage_bytes, end_users_max, storage_bytes_max FROM accounts WHERE account_number = ?',
    );
    // One row, always, for the same reason.
    this.#findProject = statement(database, 'SELECT end_users, user_state_bytes FROM projects WHERE project_id = ?');
    // One row, always.
    this.#putAccount = statement(
      database,
      'UPDATE accounts SET end_users = ?2, storage_bytes = ?3 WHERE account_number = ?1',
    );
    // One row, always.
    this.#putProject = statement(
      database,
      'UPDATE projects SET end_users = ?2, user_state_bytes = ?3 WHERE project_id = ?1',
    );
  }

  /**
   * Returns why the account may not store this many bytes more, or undefined if it may. 0 in `bytesMax` is unlimited. Fewer
   * bytes are always allowed.
   */
  refuseBytes(accountNumber: number, bytes: number, bytesMax: number): QuotaReached | undefined {
    const { ownStorageBytesMax, storageBytes: used } = this.#account(accountNumber);
    const limit = ownStorageBytesMax ?? bytesMax;
    return limit === 0 || bytes <= 0 || used + bytes <= limit
      ? undefined
      : { kind: 'quota', quota: 'storageBytes', limit, used };
  }

  /** Returns why the account may not have one end user more, or undefined if it may. 0 in `endUsersMax` is unlimited. */
  refuseEndUser(accountNumber: number, endUsersMax: number): QuotaReached | undefined {
    const { ownEndUsersMax, endUsers: used } = this.#account(accountNumber);
    const limit = ownEndUsersMax ?? endUsersMax;
    return limit === 0 || used < limit ? undefined : { kind: 'quota', quota: 'endUsers', limit, used };
  }

  /** Counts bytes of public state. */
  addBytes(accountNumber: number, bytes: number): void {
    this.#change(this.#account(accountNumber), 0, bytes);
  }

  /** Counts the state of an end user, who may be new. `bytes` is negative when the state got shorter. */
  addUserState(accountNumber: number, projectId: number, endUsers: 0 | 1, bytes: number): void {
    if (endUsers === 0 && bytes === 0) return;
    this.#change(this.#account(accountNumber), endUsers, bytes);
    const project = this.#project(projectId);
    project.endUsers += endUsers;
    project.userStateBytes += bytes;
    if (!project.isChanged) this.#changedProjects.push(project);
    project.isChanged = true;
  }

  /** Writes what has changed. */
  flush(): void {
    for (const account of this.#changedAccounts) {
      this.#putAccount.changes(account.accountNumber, account.endUsers, account.storageBytes);
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

  #account(accountNumber: number): AccountTotals {
    const known = this.#accounts.get(accountNumber);
    if (known !== undefined) return known;
    const row = this.#findAccount.get(accountNumber);
    if (row === undefined) throw new Error(`account number ${accountNumber} is gone in the middle of a write`);
    const account: AccountTotals = {
      accountNumber,
      endUsers: row.end_users as number,
      storageBytes: row.storage_bytes as number,
      ownEndUsersMax: row.end_users_max as number | null,
      ownStorageBytesMax: row.storage_bytes_max as number | null,
      isChanged: false,
    };
    this.#makeRoom(this.#accounts);
    this.#accounts.set(accountNumber, account);
    return account;
  }

  #project(projectId: number): ProjectTotals {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const row = this.#findProject.get(projectId);
    if (row === undefined) throw new Error(`project number ${projectId} is gone in the middle of a write`);
    const project: ProjectTotals = {
      projectId,
      endUsers: row.end_users as number,
      userStateBytes: row.user_state_bytes as number,
      isChanged: false,
    };
    this.#makeRoom(this.#projects);
    this.#projects.set(projectId, project);
    return project;
  }

  #makeRoom(totals: ReadonlyMap<number, unknown>): void {
    if (totals.size < totalsMax) return;
    this.flush();
    this.forget();
  }
}

/** Returns a function that counts one end user less, whose states had so many bytes. It must run after a flush of `UsageTotals`. */
export function endUserRemoval(database: DatabaseSync): (accountNumber: number, projectId: number, bytes: number) => void {
  // One row each, always: both were found in the same transaction.
  const removeFromAccount = statement(
    database,
    'UPDATE accounts SET end_users = end_users - 1, storage_bytes = storage_bytes - ?2 WHERE account_number = ?1',
  );
  const removeFromProject = statement(
    database,
    'UPDATE projects SET end_users = end_users - 1, user_state_bytes = user_state_bytes - ?2 WHERE project_id = ?1',
  );
  return (accountNumber, projectId, bytes) => {
    removeFromAccount.changes(accountNumber, bytes);
    removeFromProject.changes(projectId, bytes);
  };
}
