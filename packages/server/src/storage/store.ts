/**
 * The requirements for a storage engine. Every method is one atomic step of the domain. Expected outcomes are values. All thrown errors are
 * `StoreError`s: `StoreUnavailable` if the store cannot serve now, `StoreFault` if the program or the call is wrong. An engine must not
 * answer a write before it is durable.
 *
 * Storage deals with versions and records, never with statuses, entity tags or requests. Times are milliseconds since the epoch and come
 * from the caller. `store-contract/suite.ts` is the suite that every engine passes.
 */
import type { AccessListener } from './caches/access-changes.ts';
import type { AuditStore } from './contract/audit-store.ts';
import type { FederationStore } from './contract/federation-store.ts';
import type { MergeStore, PlayerLinkStore } from './contract/guest-store.ts';
import type { IdentityStore } from './contract/identity-store.ts';
import type { ClockStore, MarkStore, SizeStore, UpgradeStore } from './contract/installation-store.ts';
import type { InvitationStore } from './contract/invitation-store.ts';
import type { KeptKeyStore } from './contract/kept-key-store.ts';
import type { MailStore } from './contract/mail-store.ts';
import type { ManagementStore } from './contract/management-store.ts';
import type { MemberStore } from './contract/member-store.ts';
import type { OpenStreamStore } from './contract/open-stream-store.ts';
import type { PasskeyStore, TicketStore } from './contract/passkey-store.ts';
import type { PlayerStore } from './contract/player-store.ts';
import type { ProposalStore } from './contract/proposal-store.ts';
import type { PublicStateStore } from './contract/public-state-store.ts';
import type { RateWindowStore } from './contract/rate-window-store.ts';
import type { RepeatStore } from './contract/repeat-store.ts';
import type { RequestFigureStore } from './contract/request-figure-store.ts';
import type { RevokedTokenStore } from './contract/revoked-token-store.ts';
import type { SchemaStore } from './contract/schema-store.ts';
import type { SecondFactorStore } from './contract/second-factor-store.ts';
import type { ServiceAccountStore } from './contract/service-account-store.ts';
import type { SessionStore } from './contract/session-store.ts';
import type { SignInStore } from './contract/sign-in-store.ts';
import type { UsageStore } from './contract/usage-store.ts';
import type { UserStateStore } from './contract/user-state-store.ts';
import type { WebhookStore } from './contract/webhook-store.ts';

export type { Awaitable } from '../common/awaitable.ts';
export type {
  Account,
  AccountChanges,
  ApiKey,
  ListedAccount,
  NewAccount,
  NewProject,
  Page,
  PagePosition,
  PageRequest,
  Project,
  ProjectChanges,
  ProjectKey,
  TooManyApiKeys,
} from './contract/management-store.ts';
export type {
  Author,
  CurrentVersion,
  Expectation,
  HistoryItem,
  NewPublicState,
  PublicState,
  PublicStateKey,
  ReadOutcome,
  WriteOutcome,
} from './contract/public-state-store.ts';
export type { SigningKeyRecord, SigningPurpose } from './contract/sign-in-store.ts';

/** The base of all errors that a store throws. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/**
 * The store cannot serve now: unreachable, full, failing or closed. The call can be repeated unchanged. Whether an unfinished write was
 * stored is unknown.
 */
export class StoreUnavailable extends StoreError {
  override name = 'StoreUnavailable';
}

/**
 * The call breaks a rule of the store, for example a constraint, or the program has a defect: the same call would fail again. Nothing was
 * stored. `cause` is the underlying error, without any value of the call.
 */
export class StoreFault extends StoreError {
  override name = 'StoreFault';
}

/** Returns the reason for a store's error: the message of its cause, or its own. */
export const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

/** A whole store. Each method is declared, with its obligations, in the part named after its subject. */
export interface Store
  extends ManagementStore,
    ServiceAccountStore,
    PublicStateStore,
    UserStateStore,
    PlayerStore,
    RepeatStore,
    SignInStore,
    RevokedTokenStore,
    PlayerLinkStore,
    MergeStore,
    IdentityStore,
    MailStore,
    InvitationStore,
    MemberStore,
    PasskeyStore,
    TicketStore,
    SecondFactorStore,
    KeptKeyStore,
    ClockStore,
    SessionStore,
    SchemaStore,
    ProposalStore,
    FederationStore,
    UsageStore,
    RequestFigureStore,
    OpenStreamStore,
    AuditStore,
    RateWindowStore,
    WebhookStore,
    SizeStore,
    MarkStore,
    UpgradeStore {
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
