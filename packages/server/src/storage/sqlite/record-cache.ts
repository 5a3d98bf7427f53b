import type { Scope } from '../caches/access-changes.ts';
import { accountName, projectName, publicStateName, type RecordName, type TextRecord } from '../caches/record-names.ts';
import { ScopedCache } from '../caches/scoped-cache.ts';
import type { ProjectKey } from '../contract/projects.ts';
import type { PublicStateKey, ReadOutcome, WriteOutcome } from '../contract/public-states.ts';
import type { KeptVersion } from '../history/versions.ts';
import { decodeWriteOutcome, type EncodedWriteOutcome } from './writer/write-outcomes.ts';
import type { Settlement } from './writer/write-queue.ts';

/** The size of an entry apart from its name and text, in characters: outcome, record and the list that orders them. */
const entryCharacters = 250;
/** The cache size for accounts, projects and their sign-in settings. */
const resultCharactersMax = 8 * 1024 * 1024;

/** A change that was sent and has no outcome yet. */
interface Pending {
  count: number;
  /**
   * Whether the record was read from the database in the meantime. A later change may then already have replaced the record that this
   * change wrote.
   */
  read: boolean;
}

/**
 * Cached current records. One rule keeps reads exact: while a record is changing, the cache neither returns nor accepts it. Reads then query
 * the database, where the change happens at one moment. No reader can therefore see the new record and then the old one.
 */
export class RecordCache {
  readonly #states: ScopedCache<ReadOutcome<TextRecord>>;
  /** Cached results of shared verbs; each in an object, since it may be null. */
  readonly #results = new ScopedCache<{ readonly result: unknown }>(resultCharactersMax);
  readonly #pending = new Map<string, Pending>();
  /** How many pending changes affect an account or a project. */
  #scopesPending = 0;

  constructor(charactersMax: number) {
    this.#states = new ScopedCache(charactersMax);
  }

  state<Record extends TextRecord>(name: RecordName<Record>): ReadOutcome<Record> | undefined {
    if (this.#pending.size > 0 && this.#pending.has(name)) return undefined;
    return this.#states.get(name) as ReadOutcome<Record> | undefined;
  }

  /** Caches a record just read from the database, unless it is changing. */
  keepState<Record extends TextRecord>(name: RecordName<Record>, key: ProjectKey, outcome: ReadOutcome<Record>): void {
    if (this.#pending.size > 0) {
      const pending = this.#pending.get(name);
      if (pending !== undefined) pending.read = true;
      if (pending !== undefined || this.#projectPending(key)) return;
    }
    this.#states.offer(name, outcome, scopeOfProject(key), roomOf(name, outcome));
  }

  /** Returns the record with this name (record-names.ts) from the cache, or from `read`. Undefined is not cached. */
  remember<Result>(name: string, read: () => Result): Result {
    const known = this.#results.get(name);
    if (known !== undefined) return known.result as Result;
    const result = read();
    const scope = name.split('/').slice(0, 2);
    const [accountId = ''] = scope;
    const isPending = [name, scope.join('/'), accountId].some((each) => this.#pending.has(each));
    if (result !== undefined && !isPending) {
      const characters = typeof result === 'string' ? result.length : 0;
      this.#results.set(name, { result }, scope, entryCharacters + name.length + characters);
    }
    return result;
  }

  /** Must be called before a change is sent. `name` is that of a state or of another record (record-names.ts). */
  begin(name: string): void {
    this.#forget(name);
    this.#await(name);
  }

  #await(name: string): void {
    const pending = this.#pending.get(name);
    if (pending !== undefined) pending.count++;
    else {
      this.#pending.set(name, { count: 1, read: false });
      if (isScope(name)) this.#scopesPending++;
    }
  }

  /** Must be called when a change has its outcome, or has failed. Returns whether the written record is certain to be current. */
  end(name: string): boolean {
    const pending = this.#pending.get(name);
    if (pending === undefined || --pending.count > 0) return false;
    this.#pending.delete(name);
    if (isScope(name)) this.#scopesPending--;
    return !pending.read;
  }

  /**
   * Begins a conditional write of a state; call it before the write is sent. What it returns ends the write, and caches the record that
   * `recordOf` makes of its version, if that is certain to be current.
   */
  write<Record extends TextRecord>(
    name: RecordName<Record>,
    key: ProjectKey | PublicStateKey,
    recordOf: (version: number) => Record,
  ): Settlement<EncodedWriteOutcome, WriteOutcome> {
    // The earlier record keeps its place in the cache until the write ends: removing and adding it again would take half a microsecond.
    this.#await(name);
    const forget = (): void => {
      this.end(name);
      this.#states.delete(name);
    };
    return {
      settled: (encoded) => {
        const outcome = decodeWriteOutcome(encoded);
        if (outcome.kind === 'written') this.endWrite(name, key, recordOf(outcome.version));
        else forget();
        return outcome;
      },
      failed: forget,
    };
  }

  /** Must be called when a write of state has succeeded. Caches the new record if it is certain to be current. */
  endWrite<Record extends TextRecord>(name: RecordName<Record>, key: ProjectKey | PublicStateKey, record: Record): void {
    if (this.end(name) && !this.#projectPending(key)) {
      const outcome = { kind: 'present', record } as const;
      this.#states.set(name, outcome, scopeOfProject(key), roomOf(name, outcome));
    } else this.#states.delete(name);
  }

  /** Forgets everything, including the records of running changes. */
  clear(): void {
    this.#forgetScope([]);
    for (const pending of this.#pending.values()) pending.read = true;
  }

  /**
   * Whether the project or its account is changing. Usually neither is, and joining and hashing a name takes longer than everything else
   * here.
   */
  #projectPending(key: ProjectKey): boolean {
    if (this.#scopesPending === 0) return false;
    return this.#pending.has(projectName(key)) || this.#pending.has(accountName(key.accountId));
  }

  /** Forgets a record. For an account or a project, it also forgets everything in it. */
  #forget(name: string): void {
    if (isScope(name)) this.#forgetScope(name.split('/'));
    else if (!this.#states.delete(name)) this.#results.delete(name);
  }

  #forgetScope(scope: Scope): void {
    this.#states.forget(scope);
    this.#results.forget(scope);
  }
}

function roomOf(name: string, outcome: ReadOutcome<TextRecord>): number {
  return entryCharacters + name.length + (outcome.kind === 'present' ? outcome.record.stateText.length : 0);
}

const scopeOfProject = ({ accountId, slug }: ProjectKey): Scope => [accountId, slug];

/** Whether a name is that of an account or a project: it has fewer than two slashes. */
const isScope = (name: string): boolean => !name.includes('/', name.indexOf('/') + 1);

/** Returns the cache name of a public state. */
export const stateName: (key: PublicStateKey) => RecordName<KeptVersion> = publicStateName;
