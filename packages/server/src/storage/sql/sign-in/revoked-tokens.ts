/** Access tokens that ended before they expired: all tokens of a session, or a single token. */
import { sessionIdOf } from '../../../common/ids/session-id.ts';
import type { RevokedToken, RevokedTokenKey } from '../../contract/sign-ins.ts';
import { integerAt, optionalIntegerAt, type Row, textAt } from '../../rows/columns.ts';
import type { EngineSql } from '../engine-sql.ts';
import type { SharedTable } from '../schema/declaration.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

/** The setting of steps that end tokens. */
export type RevocationSetting = Pick<Setting, 'reportRevoked'> & { readonly engine: Pick<EngineSql, 'given' | 'clock'> };

export const revokedTokenTables = {
  /**
   * `token_id` names a session, or one token. `ended_number` is the order in which the embedded engine wrote the rows, `noted_at` the
   * database time of the distributed engine: they let a node find new rows. All other times are the caller's.
   */
  ended_tokens: {
    title: 'ended access tokens',
    placement: 'managed',
    since: 19,
    columns: {
      ended_number: 'generated',
      token_id: 'text',
      account_id: 'text',
      ended_at: 'integer',
      expires_at: 'integer?',
      noted_at: 'integer',
    },
    key: ['account_id', 'token_id'],
    indexes: {
      ended_tokens_by_note: '(noted_at, token_id)',
      ended_tokens_by_end: '(ended_at) WHERE expires_at IS NULL',
      ended_tokens_by_expiry: '(expires_at) WHERE expires_at IS NOT NULL',
    },
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;

export const revokedTokenColumns = 'token_id, account_id, ended_at, expires_at';

export const toRevokedToken = (row: Row): RevokedToken => ({
  tokenId: textAt(row, 'token_id'),
  accountId: textAt(row, 'account_id'),
  endedAt: integerAt(row, 'ended_at'),
  expiresAt: optionalIntegerAt(row, 'expires_at'),
});

/** Rows that one statement writes, so that none takes long. */
const writtenMax = 500;

/**
 * Ends the access tokens of sessions, in the transaction that ends the sessions. A row of `families` names a refresh-token family with its
 * account.
 */
export function* revokeTokensOf(setting: RevocationSetting, families: readonly Row[], now: number): Steps<void> {
  for (let i = 0; i < families.length; i += writtenMax) {
    const slice = families.slice(i, i + writtenMax);
    const ended = slice.map((row): RevokedToken => {
      const tokenId = sessionIdOf(textAt(row, 'family_id'));
      return { tokenId, accountId: textAt(row, 'account_id'), endedAt: now, expiresAt: null };
    });
    yield* insert(setting, ended);
  }
}

function* insert({ engine, reportRevoked }: RevocationSetting, ended: readonly RevokedToken[]): Steps<void> {
  const given = ended.map(({ tokenId, accountId, endedAt, expiresAt }) => [tokenId, accountId, endedAt, expiresAt]);
  // Any number of rows: none for tokens that had already ended.
  yield* all(
    `INSERT INTO ended_tokens (${revokedTokenColumns}, noted_at)
     SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS bigint), CAST(value ->> 3 AS bigint), ${engine.clock}
     FROM ${engine.given} WHERE true ON CONFLICT (account_id, token_id) DO NOTHING`,
    [JSON.stringify(given)],
  );
  reportRevoked?.(ended);
}

function* revokeAccessToken(setting: Setting, token: RevokedToken): Steps<void> {
  yield* insert(setting, [token]);
}

function* isEnded(_: Setting, accountId: string, tokenIds: readonly string[]): Steps<boolean> {
  for (const tokenId of tokenIds) {
    // No row: it has not ended.
    const row = yield* first('SELECT 1 AS found FROM ended_tokens WHERE account_id = $1 AND token_id = $2', [
      accountId,
      tokenId,
    ]);
    if (row !== undefined) return true;
  }
  return false;
}

function* list(_: Setting, after: RevokedTokenKey | null, itemsMax: number): Steps<readonly RevokedToken[]> {
  // As many rows as requested, or what is left.
  const rows = yield* all(
    `SELECT ${revokedTokenColumns} FROM ended_tokens WHERE (account_id, token_id) > ($1, $2) ORDER BY account_id, token_id LIMIT $3`,
    [after?.accountId ?? '', after?.tokenId ?? '', itemsMax],
  );
  return rows.map(toRevokedToken);
}

/** Rows that one sweep deletes at most of each kind. */
const sweptMax = 500;

function* sweep(_: Setting, now: number, sessionsBefore: number): Steps<number> {
  const remove = (column: string, condition: string) => `
    DELETE FROM ended_tokens WHERE (account_id, token_id) IN (
      SELECT account_id, token_id FROM ended_tokens WHERE ${condition} ORDER BY ${column} LIMIT ${sweptMax}) RETURNING 1`;
  // A row for each that is deleted.
  const sessions = yield* all(remove('ended_at', 'expires_at IS NULL AND ended_at < $1'), [sessionsBefore]);
  const tokens = yield* all(remove('expires_at', 'expires_at <= $1'), [now]);
  return sessions.length + tokens.length;
}

export const revokedTokenVerbs = {
  /** Ends one access token. */
  revokeAccessToken: write(revokeAccessToken, { isolation: 'statement' }),
  /** Whether any of these ids of an account has ended. */
  isTokenRevoked: smallRead(isEnded),
  /** Some of the ended sessions and tokens after a given key, in key order. */
  listRevokedTokens: smallRead(list),
  /** Deletes some records that no longer matter: sessions that ended before `sessionsBefore`, and expired tokens. */
  sweepRevokedTokens: write(sweep, { isolation: 'statement' }),
};
