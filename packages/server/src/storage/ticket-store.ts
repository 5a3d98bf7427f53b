/** The part of the storage contract that remembers which tickets were used. A ticket itself is sealed and kept by whoever it was given to. */

export interface TicketStore {
  /**
   * Spends a ticket: of any number of parallel uses exactly one gets `spent`. A ticket is remembered until it expires, and
   * need not be longer, since its expiry is checked before. Each call clears away a few that have expired.
   */
  spendTicket(ticketHash: Uint8Array, expiresAt: number, now: number): Promise<'spent' | 'replayed'>;
}
