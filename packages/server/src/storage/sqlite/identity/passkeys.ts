/** The store's part that passkeys and tickets need, on the main thread. */
import type { PasskeyStore, TicketStore } from '../../passkey-store.ts';
import { passkeyColumns, toPasskey } from '../../sign-in-method-rows.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';
import { directoryNumber } from './directories.ts';

interface Parts {
  readonly queue: WriteQueue;
  readonly reader: Reader;
}

/** Returns the methods of the store that passkeys and tickets need. */
export function createPasskeys({ queue, reader }: Parts): PasskeyStore & TicketStore {
  return {
    addPasskey: (passkey, passkeysMax) => queue.submit(smallCommandCharacters, 'addPasskey', passkey, passkeysMax),
    findPasskey({ accountId, credentialId }) {
      // No row: the directory has no such passkey, or its account is gone.
      const row = reader.get(
        `SELECT ${passkeyColumns} FROM passkeys WHERE directory_number = ${directoryNumber} AND credential_id = ?2`,
        accountId,
        credentialId,
      );
      return row && toPasskey(accountId, row);
    },
    listPasskeys(accountId, userId) {
      // Any number of rows.
      const rows = reader.all(
        `SELECT ${passkeyColumns} FROM passkeys WHERE directory_number = ${directoryNumber} AND user_id = ?2
         ORDER BY created_at, passkey_number`,
        accountId,
        userId,
      );
      return rows.map((row) => toPasskey(accountId, row));
    },
    usePasskey: ({ accountId, credentialId }, counter, usedAt) =>
      queue.submit(smallCommandCharacters, 'usePasskey', accountId, credentialId, counter, usedAt),
    spendTicket: (ticketHash, expiresAt, now) =>
      queue.submit(smallCommandCharacters, 'spendTicket', ticketHash, expiresAt, now),
  };
}
