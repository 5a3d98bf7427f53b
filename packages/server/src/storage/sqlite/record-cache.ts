import { LRUCache } from 'lru-cache';
import type { Account, Project, ProjectKey, PublicState, PublicStateKey, ReadOutcome } from '../store.ts';

/** What an entry costs beside its text, in characters: key, outcome, record and the list that orders them. */
const entryCharacters = 300;
/** Projects and accounts kept; some 300 bytes each. */
const projectsMax = 20_000;
const accountsMax = 5_000;

/** A change that was sent and is not answered yet. */
interface Pending {
  count: number;
  /** Whether the record was read from the database meanwhile. Then what the change wrote may already be superseded. */
  read: boolean;
}

/** A path of names: an account, a project in it, or the state of one of its environments. */
export const accountName = (accountId: string): string => accountId;
export const projectName = (key: ProjectKey): string => `${key.accountId}/${key.slug}`;
export const stateName = (key: PublicStateKey): string => `${key.accountId}/${key.slug}/${key.environment}`;

const environmentsOf = (project: string) => [`${project}/development`, `${project}/staging`, `${project}/production`];

/**
 * Current records in memory, and the one rule that keeps reads exact: while a change to something is under way, it is not
 * here, and nothing of it is put here. Reads go to the database meanwhile, where the change happens at one moment; so no
 * reader can see the new record and then the old one.
 */
export class RecordCache {
  readonly #states: LRUCache<string, ReadOutcome<PublicState>>;
  readonly #projects: LRUCache<string, Project>;
  readonly #accounts: LRUCache<string, Account>;
  readonly #pending = new Map<string, Pending>();

  constructor(charactersMax: number) {
    this.#states = new LRUCache({ maxSize: charactersMax });
    this.#projects = new LRUCache({ max: projectsMax });
    this.#accounts = new LRUCache({ max: accountsMax });
  }

  state(name: string): ReadOutcome<PublicState> | undefined {
    return this.#states.get(name);
  }

  project(name: string): Project | undefined {
    return this.#projects.get(name);
  }

  account(accountId: string): Account | undefined {
    return this.#accounts.get(accountId);
  }

  /** Keeps what was just read from the database, unless it is changing. */
  keepState(name: string, key: PublicStateKey, outcome: ReadOutcome<PublicState>): void {
    if (this.#pending.size > 0) {
      const pending = this.#pending.get(name);
      if (pending !== undefined) pending.read = true;
      if (pending !== undefined || this.#projectPending(key)) return;
    }
    this.#putState(name, outcome);
  }

  /** Keeps what was just read from the database, unless it is changing. */
  keepProject(name: string, project: Project): void {
    if (this.#pending.size > 0 && this.#projectPending(project)) return;
    this.#projects.set(name, project);
  }

  /** Keeps what was just read from the database, unless it is changing. */
  keepAccount(account: Account): void {
    if (!this.#pending.has(accountName(account.accountId))) this.#accounts.set(account.accountId, account);
  }

  /** To be called before a change is sent. `name` is that of an account, a project or a state. */
  begin(name: string): void {
    this.#forget(name);
    const pending = this.#pending.get(name);
    if (pending === undefined) this.#pending.set(name, { count: 1, read: false });
    else pending.count++;
  }

  /** To be called when a change was answered, or failed. Returns whether what it wrote is certain to be current. */
  end(name: string): boolean {
    const pending = this.#pending.get(name);
    if (pending === undefined || --pending.count > 0) return false;
    this.#pending.delete(name);
    return !pending.read;
  }

  /** To be called when a write of state was answered with success: keeps the new record if it is certain to be current. */
  endWrite(name: string, key: PublicStateKey, record: PublicState): void {
    if (this.end(name) && !this.#projectPending(key)) this.#putState(name, { kind: 'present', record });
  }

  /** Forgets everything, also what changes under way would keep. */
  clear(): void {
    this.#states.clear();
    this.#projects.clear();
    this.#accounts.clear();
    for (const pending of this.#pending.values()) pending.read = true;
  }

  #putState(name: string, outcome: ReadOutcome<PublicState>): void {
    const characters = outcome.kind === 'present' ? outcome.record.stateText.length : 0;
    this.#states.set(name, outcome, { size: entryCharacters + characters });
  }

  #projectPending(key: ProjectKey): boolean {
    return this.#pending.has(projectName(key)) || this.#pending.has(accountName(key.accountId));
  }

  #forget(name: string): void {
    if (this.#states.delete(name)) return;
    const slash = name.indexOf('/');
    if (slash < 0) {
      // Accounts change rarely, and which of the records lie in this one is not known.
      this.#states.clear();
      this.#projects.clear();
      this.#accounts.clear();
    } else if (name.indexOf('/', slash + 1) < 0) {
      this.#projects.delete(name);
      for (const state of environmentsOf(name)) this.#states.delete(state);
    }
  }
}
