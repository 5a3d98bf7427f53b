/** One-time tickets. */
import { first, type Steps } from './steps.ts';
import { type Setting, write } from './verb.ts';

function* spend(_: Setting, ticketHash: Uint8Array, expiresAt: number): Steps<'spent' | 'replayed'> {
  // No row: the ticket was spent before.
  const spent = yield* first(
    `INSERT INTO spent_tickets (ticket_hash, expires_at) VALUES ($1, $2) ON CONFLICT (ticket_hash) DO NOTHING
     RETURNING expires_at`,
    [ticketHash, expiresAt],
  );
  return spent === undefined ? 'replayed' : 'spent';
}

export const ticketVerbs = { spendTicket: write(spend) };
