/** Passkeys, and single-use tickets of passkey and other ceremonies. */

import type { Passkey, PasskeyKey } from '../../contract/own-methods.ts';
import { textAt } from '../../rows/columns.ts';
import { passkeyColumns, toPasskey } from '../../rows/sign-in-method-rows.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { directory, isDirectory } from './directories.ts';

/**
 * A browser can send any string as a credential id, but rows cannot hold a NUL. The search replaces it with a character that no id
 * contains.
 */
const keyValues = (credentialId: string): string => credentialId.replaceAll('\0', '\ufffd');

/** The passkey that a key names. */
const isRequested = `directory_id = ${directory} AND credential_id = $2 AND ${isDirectory}`;

function* find(_: Setting, { accountId, credentialId }: PasskeyKey): Steps<Passkey | undefined> {
  // No row: the directory has no such passkey, or its account was deleted.
  const row = yield* first(`SELECT ${passkeyColumns} FROM passkeys WHERE ${isRequested}`, [
    accountId,
    keyValues(credentialId),
  ]);
  return row && toPasskey(accountId, row);
}

function* list(_: Setting, accountId: string | null, userId: string): Steps<readonly Passkey[]> {
  // Any number of rows.
  const rows = yield* all(
    `SELECT ${passkeyColumns} FROM passkeys WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory}
     ORDER BY created_at, position`,
    [accountId, userId],
  );
  return rows.map((row) => toPasskey(accountId, row));
}

/**
 * The first statement locks the user until the end of the transaction, so no reset, other passkey or deletion of the user can come in
 * between.
 */
function* add(
  _: Setting,
  { accountId, credentialId, userId, counter, createdAt, lastUsedAt, transports, publicKey }: Passkey,
  passkeysMax: number,
): Steps<'added' | 'already_exists' | 'no_user' | 'too_many'> {
  // No row: the account or the user does not exist, the user has no proven address, or all sign-ins have been ended since.
  const user = yield* first(
    `SELECT directory_id FROM users
     WHERE directory_id = ${directory} AND user_id = $2 AND email_key IS NOT NULL AND (reset_at IS NULL OR reset_at < $3)
       AND ${isDirectory} FOR UPDATE`,
    [accountId, userId, createdAt],
  );
  if (user === undefined) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // How many there are, and the next position.
  const present = yield* one(
    `SELECT count(*) AS passkeys, coalesce(max(position), 0) + 1 AS position FROM passkeys
     WHERE directory_id = $1 AND user_id = $2`,
    [directoryId, userId],
  );
  if ((present.passkeys as number) >= passkeysMax) return 'too_many';
  // No row: the directory already has the credential.
  const added = yield* first(
    `INSERT INTO passkeys (directory_id, credential_id, user_id, position, counter, created_at, last_used_at, transports, public_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (directory_id, credential_id) DO NOTHING RETURNING credential_id`,
    [
      directoryId,
      credentialId,
      userId,
      present.position as number,
      counter,
      createdAt,
      lastUsedAt,
      JSON.stringify(transports),
      publicKey,
    ],
  );
  return added === undefined ? 'already_exists' : 'added';
}

function* use(
  _: Setting,
  { accountId, credentialId }: PasskeyKey,
  counter: number,
  usedAt: number,
): Steps<'used' | 'stale' | 'absent'> {
  // No row: no such passkey, or its counter does not increase.
  const used = yield* first(
    `UPDATE passkeys SET counter = $3, last_used_at = $4
     WHERE ${isRequested} AND (counter < $3 OR (counter = 0 AND CAST($3 AS bigint) = 0)) RETURNING credential_id`,
    [accountId, keyValues(credentialId), counter, usedAt],
  );
  if (used !== undefined) return 'used';
  // No row: no such passkey.
  const found = yield* first(`SELECT credential_id FROM passkeys WHERE ${isRequested}`, [
    accountId,
    keyValues(credentialId),
  ]);
  return found === undefined ? 'absent' : 'stale';
}

/** Deletes all passkeys of a user. */
export function* removePasskeys(directoryId: string, userId: string): Steps<void> {
  // Any number of rows.
  yield* all('DELETE FROM passkeys WHERE directory_id = $1 AND user_id = $2', [directoryId, userId]);
}

export const passkeyVerbs = {
  /**
   * Adds a passkey to a user. `already_exists` if the directory already has the credential, for any user; `no_user` if the user does not
   * exist, signs in through a provider, or has reset the password at `createdAt` or later; `too_many` if the user has `passkeysMax`.
   */
  addPasskey: write(add),
  findPasskey: smallRead(find),
  /** Passkeys of a user, oldest first. */
  listPasskeys: smallRead(list),
  /**
   * Moves the counter of a passkey forward in one step. `stale` if it would stay the same or go back, a sign of a cloned authenticator. An
   * authenticator that never counts may stay at 0.
   */
  usePasskey: write(use),
};

function* spend(_: Setting, ticketHash: Uint8Array, expiresAt: number): Steps<'spent' | 'replayed'> {
  // No row: the ticket was spent before.
  const spent = yield* first(
    `INSERT INTO spent_tickets (ticket_hash, expires_at) VALUES ($1, $2) ON CONFLICT (ticket_hash) DO NOTHING
     RETURNING expires_at`,
    [ticketHash, expiresAt],
  );
  return spent === undefined ? 'replayed' : 'spent';
}

export const ticketVerbs = {
  /**
   * Spends a ticket: of parallel uses, exactly one gets `spent`. A ticket is remembered until it expires; callers check the expiry first.
   * Each call deletes a few expired tickets.
   */
  spendTicket: write(spend, { preparesWrite: true }),
};
