/**
 * Tickets: data that one step of signing in leaves with the browser for the next one. A ticket is sealed, so it cannot be read or
 * changed. It is bound to a random value of one browser, and good for ten minutes and one use.
 */
import { hash } from 'node:crypto';
import type { TicketStore } from '../storage/passkey-store.ts';

const lifetimeMilliseconds = 10 * 60_000;

/** A cookie holds 4,096 characters with its name and attributes. */
const ticketCharactersMax = 3_800;

/**
 * The random values that one browser sends: mostly one. Where several pages opened at the same moment in a new browser, each has brought
 * one along. What is sealed for a browser is sealed for the first value, and opens with any of them.
 */
export type Browser = readonly [string, ...string[]];

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
  issue(browser: Browser, content: Content, expiresAt?: number): string | undefined;
  /** Returns what a ticket holds; undefined if it is no ticket, of another kind or browser, or expired. */
  open(browser: Browser, ticket: string): OpenTicket<Content> | undefined;
  /** Whether this is a ticket of this kind and browser, and its time is over. */
  hasExpired(browser: Browser, ticket: string): boolean;
  /** Returns what a ticket holds, even if it has expired or was used: something to show, and no proof. */
  peek(browser: Browser, ticket: string): Content | undefined;
}

/** Returns the tickets of one kind. */
export function createTickets<Content>({ kind, store, seal, open, now }: TicketsOptions): Tickets<Content> {
  const recordOf = (value: string) => JSON.stringify([kind, hash('sha256', value, 'base64url')]);

  function unsealed(browser: Browser, sealed: Uint8Array): Sealed<Content> | undefined {
    for (const value of browser) {
      try {
        return JSON.parse(Buffer.from(open(sealed, recordOf(value))).toString('utf8'));
      } catch {
        // Of another value of this browser, of another browser or key, or made up.
      }
    }
    return undefined;
  }
  const read = (browser: Browser, ticket: string) => {
    const sealed = ticket.length > ticketCharactersMax ? undefined : Buffer.from(ticket, 'base64url');
    const held = sealed && unsealed(browser, sealed);
    return held && { sealed, ...held };
  };

  return {
    issue([value], content, expiresAt = now() + lifetimeMilliseconds) {
      const plain = JSON.stringify({ content, expiresAt });
      const ticket = Buffer.from(seal(Buffer.from(plain), recordOf(value))).toString('base64url');
      return ticket.length > ticketCharactersMax ? undefined : ticket;
    },
    open(browser, ticket) {
      const held = read(browser, ticket);
      if (held === undefined || held.expiresAt <= now()) return undefined;
      const { content, expiresAt, sealed } = held;
      // What was sealed is hashed, not its text: base64url has several ways to write the same bytes.
      const spend = async () => (await store.spendTicket(hash('sha256', sealed, 'buffer'), expiresAt)) === 'spent';
      return { content, expiresAt, spend };
    },
    hasExpired: (browser, ticket) => (read(browser, ticket)?.expiresAt ?? Number.POSITIVE_INFINITY) <= now(),
    peek: (browser, ticket) => read(browser, ticket)?.content,
  };
}

interface Sealed<Content> {
  readonly content: Content;
  readonly expiresAt: number;
}
