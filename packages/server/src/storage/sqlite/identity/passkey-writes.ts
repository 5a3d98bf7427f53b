import type { DatabaseSync } from 'node:sqlite';
import type { SignInMethodCommands } from '../writer/sign-in-method-commands.ts';
import { statement } from '../writer/statement.ts';
import { directoryNumber } from './directories.ts';

/** The use of a passkey, one writing statement. It runs inside the writer's transaction. */
export function singlePasskeyWrites(database: DatabaseSync): Pick<SignInMethodCommands, 'usePasskey'> {
  // No change: no such passkey, or its counter does not go forward.
  const use = statement(
    database,
    `UPDATE passkeys SET counter = ?3, last_used_at = ?4
     WHERE directory_number = ${directoryNumber} AND credential_id = ?2 AND (counter < ?3 OR (counter = 0 AND ?3 = 0))`,
  );
  // No row: no such passkey.
  const find = statement(
    database,
    `SELECT 1 FROM passkeys WHERE directory_number = ${directoryNumber} AND credential_id = ?2`,
  );
  return {
    usePasskey(accountId, credentialId, counter, usedAt) {
      if (use.changes(accountId, credentialId, counter, usedAt) > 0) return 'used';
      return find.get(accountId, credentialId) === undefined ? 'absent' : 'stale';
    },
  };
}

/** The other writes of passkeys and tickets. Each runs inside a savepoint of its own. */
export function passkeyWrites(database: DatabaseSync): Pick<SignInMethodCommands, 'addPasskey' | 'spendTicket'> {
  return { ...additions(database), ...tickets(database) };
}

function additions(database: DatabaseSync): Pick<SignInMethodCommands, 'addPasskey'> {
  // No row: the account or the user is gone, or the user has no password, or a newer one.
  const findUser = statement(
    database,
    `SELECT directory_number FROM users
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND email_key IS NOT NULL
       AND (reset_at IS NULL OR reset_at < ?3)`,
  );
  // One row, always.
  const count = statement(database, 'SELECT count(*) AS count FROM passkeys WHERE directory_number = ? AND user_id = ?');
  // No change: the directory holds the credential already.
  const insert = statement(
    database,
    `INSERT INTO passkeys (directory_number, credential_id, user_id, counter, created_at, last_used_at, transports, public_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return {
    addPasskey({ accountId, credentialId, userId, counter, createdAt, lastUsedAt, transports, publicKey }, passkeysMax) {
      const directory = findUser.get(accountId, userId, createdAt)?.directory_number as number | undefined;
      if (directory === undefined) return 'no_user';
      if ((count.get(directory, userId)?.count as number) >= passkeysMax) return 'too_many';
      const values = [counter, createdAt, lastUsedAt, JSON.stringify(transports), publicKey];
      return insert.changes(directory, credentialId, userId, ...values) === 0 ? 'already_exists' : 'added';
    },
  };
}

/** Each ticket that is spent clears away so many that have expired, so that their number never grows beyond those alive. */
const expiredTicketsMax = 4;

function tickets(database: DatabaseSync): Pick<SignInMethodCommands, 'spendTicket'> {
  // No change: the ticket was spent before.
  const insert = statement(
    database,
    'INSERT INTO spent_tickets (ticket_hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  // At most a few rows.
  const clear = statement(
    database,
    `DELETE FROM spent_tickets WHERE spent_ticket_number IN
       (SELECT spent_ticket_number FROM spent_tickets WHERE expires_at <= ? ORDER BY expires_at LIMIT ${expiredTicketsMax})`,
  );
  return {
    spendTicket(ticketHash, expiresAt, now) {
      if (insert.changes(ticketHash, expiresAt) === 0) return 'replayed';
      clear.changes(now);
      return 'spent';
    },
  };
}
