/** Row handling shared by both engines: stores texts and environments, cuts pages, and turns rows into records. */

import type { Environment } from '@holdfast/contract';
import { StoreFault } from '../contract/errors.ts';
import type { Account, ApiKey, ListedAccount, Page, PagePosition } from '../contract/management.ts';
import type { Author, CurrentVersion, HistoryItem, HistoryOutcome, ReadOutcome } from '../contract/public-states.ts';
import {
  type AuthorizationCode,
  type Grant,
  type RefreshFamily,
  type SigningKeyRecord,
  signingPurposes,
} from '../contract/sign-ins.ts';
import type { ListedUserState, UserState, UserStateAuthor } from '../contract/user-states.ts';
import { bytesAt, integerAt, jsonAt, optionalIntegerAt, optionalTextAt, textAt, wordAt, wordsAt } from './columns.ts';

/**
 * Names and comments can be any JSON string, with lone surrogates and NUL. UTF-8 cannot hold lone surrogates, and tools cut
 * texts at a NUL, so these texts are stored as JSON.
 */
export const encodeText = (value: string): string => JSON.stringify(value);

/** Returns the exact input of `encodeText`. */
export function decodeText(text: unknown): string {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  if (typeof value !== 'string') throw new StoreFault('cannot use a row of the database: a text is not one');
  return value;
}

export const encodeOptional = (value: string | null): string | null => (value === null ? null : encodeText(value));
export const decodeOptional = (text: unknown): string | null => (text === null ? null : decodeText(text));

/** Environments as stored by both engines. The numbers are part of every database and never change. */
export const environmentNumbers = { development: 0, staging: 1, production: 2 } as const;
export const environmentNames = ['development', 'staging', 'production'] as const satisfies readonly Environment[];
export type EnvironmentNumber = (typeof environmentNumbers)[keyof typeof environmentNumbers];

/** Later than any creation: the position before the first page. */
export const beforeFirst: PagePosition = { createdAt: Number.MAX_SAFE_INTEGER, tie: '' };

/** The page of the items `found`, which has one item more than the page if more follows. */
export function pageOf<Item>(found: Item[], itemsMax: number, position: (item: Item) => PagePosition): Page<Item> {
  const items = found.slice(0, itemsMax);
  const last = items.at(-1);
  return { items, next: found.length > itemsMax && last !== undefined ? position(last) : null };
}

/** A row as drivers return it, by column names, which are the same in every engine. */
export type Row = Readonly<Record<string, unknown>>;

export const noProject = { kind: 'no_project' } as const;

/**
 * Returns the outcome of a read of state, with the record that `toRecord` makes of its row. No row: no such project. A row without
 * `version`: nothing is stored there.
 */
export function outcomeOf<State>(row: Row | undefined, toRecord: (row: Row) => State): ReadOutcome<State> {
  if (row === undefined) return noProject;
  return row.version === null ? { kind: 'absent' } : { kind: 'present', record: toRecord(row) };
}

export const toCurrentVersion = (row: Row): CurrentVersion => ({
  version: integerAt(row, 'version'),
  recordId: String(row.record_id),
});

/** The page of the versions `found`, newest first, which has one version more than the page if more follows. */
export const toHistory = (found: readonly Row[], itemsMax: number): HistoryOutcome => ({
  kind: 'history',
  items: found.slice(0, itemsMax).map(toHistoryItem),
  hasMore: found.length > itemsMax,
});

export const toAccount = (row: Row): Account => ({
  accountId: textAt(row, 'account_id'),
  name: decodeText(row.name),
  idpTenantId: textAt(row, 'idp_tenant_id'),
  createdAt: integerAt(row, 'created_at'),
  requireSecondFactor: integerAt(row, 'require_second_factor') === 1,
  suspendedAt: optionalIntegerAt(row, 'suspended_at'),
  signedOutAt: optionalIntegerAt(row, 'signed_out_at'),
});

export const toListedAccount = (row: Row): ListedAccount => ({
  ...toAccount(row),
  lastSeenAt: optionalIntegerAt(row, 'last_seen_at'),
});

export const toApiKey = (row: Row): ApiKey => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  keyId: textAt(row, 'key_id'),
  name: decodeText(row.name),
  start: textAt(row, 'start'),
  kind: wordAt(row, 'kind', ['secret', 'publishable']),
  access: wordAt(row, 'access', ['read', 'write']),
  environments: wordsAt(row, 'environments', environmentNames),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
  expiresAt: optionalIntegerAt(row, 'expires_at'),
  requestsPerMinute: optionalIntegerAt(row, 'requests_per_minute_max'),
});

export const toSigningKey = (row: Row): SigningKeyRecord => ({
  purpose: wordAt(row, 'purpose', signingPurposes),
  keyId: textAt(row, 'key_id'),
  publicJwk: textAt(row, 'public_jwk'),
  sealedPrivateJwk: bytesAt(row, 'sealed_private_jwk'),
  createdAt: integerAt(row, 'created_at'),
});

const toHistoryItem = (row: Row): HistoryItem => ({
  version: integerAt(row, 'version'),
  stateBytes: integerAt(row, 'state_bytes'),
  comment: decodeOptional(row.comment),
  writtenAt: integerAt(row, 'written_at'),
  author: row.author === null ? null : jsonAt<Author>(row, 'author'),
});

/** Columns of `user_states` that `toUserState` needs. */
export const userStateColumns = 'version, updated_at, history_version, author, comment, state_bytes, state';

/** A program older than the history of user states left author and comment unchanged: it served players, who give no comment. */
export function toUserState(row: Row): UserState {
  const version = integerAt(row, 'version');
  const continues = row.history_version === version;
  return {
    version,
    stateText: textAt(row, 'state'),
    stateBytes: integerAt(row, 'state_bytes'),
    updatedAt: integerAt(row, 'updated_at'),
    author: continues ? userStateAuthorAt(row) : null,
    comment: continues ? decodeOptional(row.comment) : null,
    continues,
  };
}

/** The author; null for the player. */
export const userStateAuthorAt = (row: Row): UserStateAuthor | null =>
  row.author === null ? null : jsonAt<UserStateAuthor>(row, 'author');
export const encodeUserStateAuthor = (author: UserStateAuthor | null): string | null =>
  author === null ? null : JSON.stringify(author);

export const toListedUserState = (row: Row): ListedUserState => ({
  version: integerAt(row, 'version'),
  stateText: textAt(row, 'state'),
  stateBytes: integerAt(row, 'state_bytes'),
  playerId: decodeText(row.end_user_id),
  updatedAt: integerAt(row, 'updated_at'),
});

const toGrant = (row: Row): Grant => ({
  accountId: textAt(row, 'account_id'),
  slug: optionalTextAt(row, 'slug'),
  environment: environmentNames.find((name) => environmentNumbers[name] === row.environment) ?? null,
  clientId: decodeText(row.client_id),
  subject: decodeText(row.subject),
  scope: decodeText(row.scope),
  amr: optionalTextAt(row, 'amr') ?? undefined,
});

export const toAuthorizationCode = (row: Row): AuthorizationCode => ({
  ...toGrant(row),
  email: decodeOptional(row.email),
  name: decodeOptional(row.name),
  redirectUri: decodeText(row.redirect_uri),
  codeChallenge: decodeText(row.code_challenge),
  expiresAt: integerAt(row, 'code_expires_at'),
});

export const toRefreshFamily = (row: Row): RefreshFamily => ({
  ...toGrant(row),
  familyId: textAt(row, 'family_id'),
  createdAt: integerAt(row, 'created_at'),
  idleExpiresAt: integerAt(row, 'idle_expires_at'),
  absoluteExpiresAt: integerAt(row, 'absolute_expires_at'),
  sessionLabel: optionalTextAt(row, 'place') ?? undefined,
  epoch: integerAt(row, 'player_epoch') || undefined,
});

/** The bytes that a comment adds to an account's storage: the bytes of its stored text, as returned by `encodeText`. */
export const commentBytes = (encoded: string | null): number => (encoded === null ? 0 : Buffer.byteLength(encoded));
