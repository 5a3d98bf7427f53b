import type { DatabaseSync } from 'node:sqlite';
import { partOfGuests } from '../../contract/guests.ts';
import type { QuotaReached } from '../../contract/usage.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { countedBesideStates } from '../../rows/usage-rows.ts';
import { statement } from '../directory/database.ts';

interface AccountTotals {
  readonly accountId: string;
  players: number;
  storageBytes: number;
  /** The guests' part of the players. */
  guests: number;
  guestBytes: number;
  /** The counted bytes of its audit records. The verbs that write them drop this from the cache (`runGuarded`). */
  readonly auditBytes: number;
  readonly ownPlayersMax: number | null;
  readonly ownStorageBytesMax: number | null;
  isChanged: boolean;
}

interface ProjectTotals {
  readonly projectId: number;
  players: number;
  userStateBytes: number;
  guests: number;
  guestBytes: number;
  isChanged: boolean;
}

/** The owner of a counted state. */
export interface UsageOwner {
  readonly accountId: string;
  readonly projectId: number;
  readonly isGuest: boolean;
}

/** The usage of an account and of its guests. A limit of 0 is unlimited. */
interface Used {
  readonly limit: number;
  readonly used: number;
  readonly usedByGuests: number;
}

/** Returns why this much more may not be used; undefined if it may. */
function refuse(
  quota: QuotaReached['quota'],
  { limit, used, usedByGuests }: Used,
  more: number,
  isGuest: boolean,
): QuotaReached | undefined {
  if (limit === 0) return undefined;
  if (used + more > limit) return { kind: 'quota', quota, limit, used };
  const part = partOfGuests(limit);
  return isGuest && usedByGuests + more > part
    ? { kind: 'quota', quota, limit: part, used: usedByGuests, isOfGuests: true }
    : undefined;
}

/** The maximum numbers of cached accounts and of cached projects; about 120 bytes each. */
const totalsMax = 50_000;

/**
 * Caches account usage while states are written, so that a transaction of many writes changes an account's row once. The writer calls
 * `flush` before it commits, and before any statement that reads or changes these rows itself. The cache is valid under the same rule as in
 * `PublicStateWrites`.
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
    // One row, always: the project being written to was found in it.
    this.#findAccount = statement(
      database,
      `SELECT coalesce(end_users, 0) AS end_users, coalesce(storage_bytes, 0) AS storage_bytes,
         coalesce(guests, 0) AS guests, coalesce(guest_bytes, 0) AS guest_bytes, ${countedBesideStates} AS audit_bytes,
         end_users_max, storage_bytes_max
       FROM accounts LEFT JOIN account_usage USING (account_id) WHERE account_id = ?`,
    );
    // No row: its players have stored nothing yet.
    this.#findProject = statement(
      database,
      'SELECT end_users, user_state_bytes, guests, guest_bytes FROM project_usage WHERE project_id = ?',
    );
    // One row, always.
    this.#putAccount = statement(
      database,
      `INSERT INTO account_usage (account_id, end_users, storage_bytes, guests, guest_bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET end_users = excluded.end_users, storage_bytes = excluded.storage_bytes,
         guests = excluded.guests, guest_bytes = excluded.guest_bytes`,
    );
    // One row, always.
    this.#putProject = statement(
      database,
      `INSERT INTO project_usage (project_id, end_users, user_state_bytes, guests, guest_bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET end_users = excluded.end_users, user_state_bytes = excluded.user_state_bytes,
         guests = excluded.guests, guest_bytes = excluded.guest_bytes`,
    );
  }

  /**
   * Returns why the account may not store this many more bytes; undefined if it may. 0 in `bytesMax` is unlimited. Fewer bytes are always
   * allowed. Bytes of guests must also fit into the guests' part.
   */
  refuseBytes(accountId: string, bytes: number, bytesMax: number, isGuest = false): QuotaReached | undefined {
    const { ownStorageBytesMax, storageBytes, auditBytes, guestBytes } = this.#account(accountId);
    const limit = ownStorageBytesMax ?? bytesMax;
    if (bytes <= 0) return undefined;
    return refuse('storageBytes', { limit, used: storageBytes + auditBytes, usedByGuests: guestBytes }, bytes, isGuest);
  }

  /** Returns why the account may not have one more player; undefined if it may. 0 in `playersMax` is unlimited. */
  refusePlayer(accountId: string, playersMax: number, isGuest: boolean): QuotaReached | undefined {
    const { ownPlayersMax, players, guests } = this.#account(accountId);
    const limit = ownPlayersMax ?? playersMax;
    return refuse('endUsers', { limit, used: players, usedByGuests: guests }, 1, isGuest);
  }

  /** Counts bytes of public state. */
  addBytes(accountId: string, bytes: number): void {
    this.#change(this.#account(accountId), 0, bytes, false);
  }

  /** Counts the state of a player, who may be new. `bytes` is negative if the state got shorter. */
  addUserState({ accountId, projectId, isGuest }: UsageOwner, players: 0 | 1, bytes: number): void {
    if (players === 0 && bytes === 0) return;
    this.#change(this.#account(accountId), players, bytes, isGuest);
    const project = this.#project(projectId);
    project.players += players;
    project.userStateBytes += bytes;
    if (isGuest) {
      project.guests += players;
      project.guestBytes += bytes;
    }
    if (!project.isChanged) this.#changedProjects.push(project);
    project.isChanged = true;
  }

  /** Writes all changes. */
  flush(): void {
    for (const account of this.#changedAccounts) {
      const { accountId, players, storageBytes, guests, guestBytes } = account;
      this.#putAccount.changes(accountId, players, storageBytes, guests, guestBytes);
      account.isChanged = false;
    }
    for (const project of this.#changedProjects) {
      const { projectId, players, userStateBytes, guests, guestBytes } = project;
      this.#putProject.changes(projectId, players, userStateBytes, guests, guestBytes);
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

  #change(account: AccountTotals, players: number, bytes: number, isGuest: boolean): void {
    account.players += players;
    account.storageBytes += bytes;
    if (isGuest) {
      account.guests += players;
      account.guestBytes += bytes;
    }
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
      players: integerAt(row, 'end_users'),
      storageBytes: integerAt(row, 'storage_bytes'),
      guests: integerAt(row, 'guests'),
      guestBytes: integerAt(row, 'guest_bytes'),
      auditBytes: integerAt(row, 'audit_bytes'),
      ownPlayersMax: optionalIntegerAt(row, 'end_users_max'),
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
      players: row === undefined ? 0 : integerAt(row, 'end_users'),
      userStateBytes: row === undefined ? 0 : integerAt(row, 'user_state_bytes'),
      guests: row === undefined ? 0 : integerAt(row, 'guests'),
      guestBytes: row === undefined ? 0 : integerAt(row, 'guest_bytes'),
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
