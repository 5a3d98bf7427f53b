/** Tickets that are good for one use. */
import { all, first, type Steps } from './steps.ts';
import { type Setting, write } from './verb.ts';

/** Each spent ticket deletes this many expired ones, so that there are never more than those that are still valid. */
const expiredMax = 4;

function* spend(_: Setting, ticketHash: Uint8Array, expiresAt: number, now: number): Steps<'spent' | 'replayed'> {
  // No row: the ticket was spent before.
  const spent = yield* first(
    `INSERT INTO spent_tickets (ticket_hash, expires_at) VALUES ($1, $2) ON CONFLICT (ticket_hash) DO NOTHING
     RETURNING expires_at`,
    [ticketHash, expiresAt],
  );
  if (spent === undefined) return 'replayed';
  // At most a few rows.
  yield* all(
    `DELETE FROM spent_tickets WHERE ticket_hash IN (
       SELECT ticket_hash FROM spent_tickets WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${expiredMax})`,
    [now],
  );
  return 'spent';
}

export const ticketVerbs = { spendTicket: write(spend) };
