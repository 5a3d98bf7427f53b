/**
 * The requirements for a storage engine. Every method is one atomic step of the domain. Expected outcomes are values. All thrown errors are
 * `StoreError`s: `StoreUnavailable` if the store cannot serve now, `StoreFault` if the program or the call is wrong. An engine must not
 * answer a write before it is durable.
 *
 * Storage deals with versions and records, never with statuses, entity tags or requests. Times of records are milliseconds since the
 * epoch, and come from the caller. `store-suite/suite.ts` is the suite that every engine passes.
 *
 * `SharedVerbs` is inferred from the code of the verbs written once for both engines, so this file imports `sql/verbs.ts`, which lists them.
 * That direction is deliberate: each of those verbs has its signature, its comment and its statements in one place, and needs no second
 * declaration here. Only the types are imported. Verbs that each engine implements are declared in `contract/engine-verbs.ts`.
 */
import type { AccessListener } from './caches/access-changes.ts';
import type { EngineVerbs } from './contract/engine-verbs.ts';
import type { SharedVerbs } from './sql/verbs.ts';

export { reasonOf, StoreError, StoreFault, StoreUnavailable } from './contract/errors.ts';

/** A whole store. The comment on each verb says what it must do. */
export interface Store extends SharedVerbs, EngineVerbs {
  /** Resolves if the store can serve reads and durable writes now; throws `StoreUnavailable` otherwise. */
  checkReady(): Promise<void>;
  /** Finishes running work, then releases all resources. Later calls throw `StoreUnavailable`. */
  close(): Promise<void>;
  /**
   * Calls `listener` with each change that may affect authorization: an account, project, API key, service account or service account
   * secret was deleted, the tokens of a player ended, an account's limits or members, or a project's sign-in settings, protected
   * environments or schemas were written, or a signing key was added or deleted. For changes through this store, the call comes before the
   * promise of the change resolves; for changes by other processes, within one second. A store that cannot tell what another process has
   * changed reports `everything`. Creations and renames are not reported.
   */
  onAccessChange(listener: AccessListener): void;
}
