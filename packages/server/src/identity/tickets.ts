/**
 * Tickets: data that one step of a sign-in leaves with the browser for the next. A ticket is sealed, so it cannot be read or changed. It is
 * bound to a random value of one browser, and valid for ten minutes and one use.
 */

import { hash } from 'node:crypto';
import type { Sealer } from '../common/secrets/sealer.ts';
import type { Store } from '../storage/store.ts';

const lifetimeMilliseconds = 10 * 60_000;

/** A cookie holds 4,096 characters, including its name and attributes. */
const ticketCharactersMax = 3_800;

/**
 * The random values that one browser sends, usually one. If a new browser opens several pages together, each sets one. Content is sealed
 * for the first value, and opens with any of them.
 */
export type Browser = readonly [string, ...string[]];

export interface TicketsOptions extends Sealer {
  /** The purpose of the tickets. Tickets of another kind do not open. */
  readonly kind: string;
  readonly store: Pick<Store, 'spendTicket'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface OpenTicket<Content> {
  readonly content: Content;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether this is the first use. Of parallel calls, exactly one returns true. */
  spend(): Promise<boolean>;
}

export interface Tickets<Content> {
  /**
   * Returns a ticket; undefined if the content is too long for a cookie. A ticket that replaces another expires with it, at `expiresAt`, in
   * milliseconds since the epoch.
   */
  issue(browser: Browser, content: Content, expiresAt?: number): string | undefined;
  /** Returns the content of a ticket; undefined if it is invalid, expired, or of another kind or browser. */
  open(browser: Browser, ticket: string): OpenTicket<Content> | undefined;
  /** Whether this is an expired ticket of this kind and browser. */
  hasExpired(browser: Browser, ticket: string): boolean;
  /** Returns the content of a ticket, even if expired or used. It may be shown but proves nothing. */
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
        // Sealed for another value of this browser, another browser or key, or forged.
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
      // The hash is of the sealed bytes, not the text: base64url can write the same bytes in several ways.
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
