/**
 * What both engines do in the same way with rows: storing texts and environments, cutting pages, and turning rows into
 * records.
 */
import type { Environment } from '@holdfast/contract';
import type { HistoryOutcome } from './public-state-store.ts';
import type { AuthorizationCode, Grant, RefreshFamily } from './sign-in-store.ts';
import type {
  Account,
  ApiKey,
  Author,
  CurrentVersion,
  HistoryItem,
  ListedAccount,
  Page,
  PagePosition,
  Project,
  ReadOutcome,
  SigningKeyRecord,
} from './store.ts';
import type { ListedUserState, UserState } from './user-state-store.ts';

/**
 * Names and comments can be any JSON string, with lone surrogates and NUL. UTF-8 cannot hold lone surrogates, and tools cut
 * texts at a NUL, so these texts are stored as JSON.
 */
export const encodeText = (value: string): string => JSON.stringify(value);

/** Returns exactly what `encodeText` was given. */
export const decodeText = (text: unknown): string => JSON.parse(text as string) as string;

export const encodeOptional = (value: string | null): string | null => (value === null ? null : encodeText(value));
export const decodeOptional = (text: unknown): string | null => (text === null ? null : decodeText(text));

export const encodeAuthor = (author: Author | null): string | null => (author === null ? null : JSON.stringify(author));

/** Environments as engines store them. The numbers are part of every database and never change. */
export const environmentNumbers = { development: 0, staging: 1, production: 2 } as const;
export type EnvironmentNumber = (typeof environmentNumbers)[keyof typeof environmentNumbers];

/** Later than any creation: the position before the first page. */
export const beforeFirst: PagePosition = { createdAt: Number.MAX_SAFE_INTEGER, tie: '' };

/** The page of the items `found`, which has one item more than the page when something follows. */
export function pageOf<Item>(found: Item[], itemsMax: number, position: (item: Item) => PagePosition): Page<Item> {
  const items = found.slice(0, itemsMax);
  const last = items.at(-1);
  return { items, next: found.length > itemsMax && last !== undefined ? position(last) : null };
}

/** A row as drivers give it, by the names of its columns, which are the same in every engine. */
export type Row = Readonly<Record<string, unknown>>;

export const noProject = { kind: 'no_project' } as const;

/**
 * Returns the outcome of a read of state, with the record that `toRecord` makes of its row. No row: no such project. A row without
 * `version`: nothing is written there.
 */
export function outcomeOf<State>(row: Row | undefined, toRecord: (row: Row) => State): ReadOutcome<State> {
  if (row === undefined) return noProject;
  return row.version === null ? { kind: 'absent' } : { kind: 'present', record: toRecord(row) };
}

export const toCurrentVersion = (row: Row): CurrentVersion => ({
  version: row.version as number,
  recordId: String(row.record_id),
});

/** The page of the versions `found`, newest first, which has one version more than the page when something follows. */
export const toHistory = (found: readonly Row[], itemsMax: number): HistoryOutcome => ({
  kind: 'history',
  items: found.slice(0, itemsMax).map(toHistoryItem),
  hasMore: found.length > itemsMax,
});

export const toAccount = (row: Row): Account => ({
  accountId: row.account_id as string,
  name: decodeText(row.name),
  idpTenantId: row.idp_tenant_id as string,
  createdAt: row.created_at as number,
});

export const toListedAccount = (row: Row): ListedAccount => ({
  ...toAccount(row),
  lastSeenAt: row.last_seen_at as number | null,
});

export const toProject = (row: Row): Project => ({
  accountId: row.account_id as string,
  slug: row.slug as string,
  name: decodeText(row.name),
  createdAt: row.created_at as number,
  protectedEnvironments: JSON.parse(row.protected_environments as string) as Environment[],
});

export const toApiKey = (row: Row): ApiKey => ({
  accountId: row.account_id as string,
  slug: row.slug as string,
  keyId: row.key_id as string,
  name: decodeText(row.name),
  start: row.start as string,
  kind: row.kind as ApiKey['kind'],
  access: row.access as ApiKey['access'],
  environments: (row.environments as string).split(',') as Environment[],
  createdAt: row.created_at as number,
  lastUsedAt: row.last_used_at as number | null,
  expiresAt: row.expires_at as number | null,
});

export const toSigningKey = (row: Row): SigningKeyRecord => ({
  purpose: row.purpose as SigningKeyRecord['purpose'],
  keyId: row.key_id as string,
  publicJwk: row.public_jwk as string,
  sealedPrivateJwk: row.sealed_private_jwk as Uint8Array,
  createdAt: row.created_at as number,
});

const toHistoryItem = (row: Row): HistoryItem => ({
  version: row.version as number,
  stateBytes: row.state_bytes as number,
  comment: decodeOptional(row.comment),
  writtenAt: row.written_at as number,
  author: row.author === null ? null : (JSON.parse(row.author as string) as Author),
});

export const toUserState = (row: Row): UserState => ({
  version: row.version as number,
  stateText: row.state as string,
  stateBytes: row.state_bytes as number,
});

export const toListedUserState = (row: Row): ListedUserState => ({
  ...toUserState(row),
  endUserId: decodeText(row.end_user_id),
  updatedAt: row.updated_at as number,
});

export const environmentNames = Object.keys(environmentNumbers) as Environment[];

const toGrant = (row: Row): Grant => ({
  accountId: row.account_id as string,
  slug: row.slug as string | null,
  environment: environmentNames.find((name) => environmentNumbers[name] === row.environment) ?? null,
  clientId: decodeText(row.client_id),
  subject: decodeText(row.subject),
  scope: decodeText(row.scope),
});

export const toAuthorizationCode = (row: Row): AuthorizationCode => ({
  ...toGrant(row),
  email: decodeOptional(row.email),
  name: decodeOptional(row.name),
  redirectUri: decodeText(row.redirect_uri),
  codeChallenge: decodeText(row.code_challenge),
  expiresAt: row.code_expires_at as number,
});

export const toRefreshFamily = (row: Row): RefreshFamily => ({
  ...toGrant(row),
  familyId: row.family_id as string,
  createdAt: row.created_at as number,
  idleExpiresAt: row.idle_expires_at as number,
  absoluteExpiresAt: row.absolute_expires_at as number,
});

/** What a comment counts with in what an account stores: the bytes of the text that is stored for it, as `encodeText` gives it. */
export const commentBytes = (encoded: string | null): number => (encoded === null ? 0 : Buffer.byteLength(encoded));
