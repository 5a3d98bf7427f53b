/**
 * Tickets: data that one step of signing in leaves with the browser for the next one. A ticket is sealed, so it cannot be read or
 * changed. It is bound to the random value of one browser, and good for ten minutes and one use.
 */
import { hash } from 'node:crypto';
import type { TicketStore } from '../storage/passkey-store.ts';

const lifetimeMilliseconds = 10 * 60_000;

/** A cookie holds 4,096 characters with its name and attributes. */
const ticketCharactersMax = 3_800;

/** Encrypts and decrypts for one record; `open` throws for what was sealed for another, or otherwise. */
export interface Seal {
  readonly seal: (plain: Uint8Array, recordId: string) => Uint8Array;
  readonly open: (sealed: Uint8Array, recordId: string) => Uint8Array;
}

export interface TicketsOptions extends Seal {
  /** What the tickets are for; those of another kind do not open. */
  readonly kind: string;
  readonly store: TicketStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface OpenTicket<Content> {
  readonly content: Content;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether this is the first use. Of any number of parallel calls, exactly one returns true. */
  spend(): Promise<boolean>;
}

export interface Tickets<Content> {
  /**
   * Returns a ticket, or undefined when the content is too long for a cookie. One that takes the place of another expires with it:
   * `expiresAt`, in milliseconds since the epoch.
   */
  issue(browser: string, content: Content, expiresAt?: number): string | undefined;
  /** Returns what a ticket holds; undefined when it is none, of another kind or browser, or expired. */
  open(browser: string, ticket: string): OpenTicket<Content> | undefined;
  /** Whether this is a ticket of this kind and browser, and its time is over. */
  hasExpired(browser: string, ticket: string): boolean;
}

/** Returns the tickets of one kind. */
export function createTickets<Content>({ kind, store, seal, open, now }: TicketsOptions): Tickets<Content> {
  const recordOf = (browser: string) => JSON.stringify([kind, hash('sha256', browser, 'base64url')]);
  const read = (browser: string, ticket: string) => {
    if (ticket.length > ticketCharactersMax) return undefined;
    const sealed = Buffer.from(ticket, 'base64url');
    const plain = opened(() => open(sealed, recordOf(browser)));
    if (plain === undefined) return undefined;
    return { sealed, ...(JSON.parse(plain) as { readonly content: Content; readonly expiresAt: number }) };
  };
  return {
    issue(browser, content, expiresAt = now() + lifetimeMilliseconds) {
      const plain = JSON.stringify({ content, expiresAt });
      const ticket = Buffer.from(seal(Buffer.from(plain), recordOf(browser))).toString('base64url');
      return ticket.length > ticketCharactersMax ? undefined : ticket;
    },
    open(browser, ticket) {
      const found = read(browser, ticket);
      if (found === undefined || found.expiresAt <= now()) return undefined;
      const { sealed, content, expiresAt } = found;
      // What was sealed is hashed, not its text: base64url has several ways to write the same bytes.
      const spend = async () => (await store.spendTicket(hash('sha256', sealed, 'buffer'), expiresAt)) === 'spent';
      return { content, expiresAt, spend };
    },
    hasExpired: (browser, ticket) => (read(browser, ticket)?.expiresAt ?? Number.POSITIVE_INFINITY) <= now(),
  };
}

function opened(work: () => Uint8Array): string | undefined {
  try {
    return Buffer.from(work()).toString('utf8');
  } catch {
    return undefined;
  }
}
