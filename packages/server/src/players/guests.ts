/**
 * Guests: who plays without signing in. The key of a device is who they are, so a guest has no row, and nothing expires: the same key is
 * the same player for as long as the device keeps it.
 *
 * @see docs/contract.md §7.14
 */
import { hash } from 'node:crypto';
import type { Environment } from '@holdfast/contract';
import type { TicketStore } from '../storage/passkey-store.ts';
import type { ProjectKey } from '../storage/store.ts';
import type { NewGuests } from './first-seen.ts';
import { BadAssertion, isSignedByKey, parseAssertion, readJti } from './guest-assertion.ts';
import { guestIdOf } from './guest-id.ts';
import { endOfNonce, type GuestNonces } from './guest-nonces.ts';

export interface GuestsOptions {
  readonly store: TicketStore;
  readonly nonces: Pick<GuestNonces, 'givenOutAt'>;
  readonly newGuests: NewGuests;
  /** The base URL. */
  readonly audience: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Who asks to play as a guest, and where. */
export interface GuestRequest {
  readonly project: ProjectKey;
  readonly clientId: string;
  readonly environment: Environment;
  /** As the assertion must have it. */
  readonly scope: string;
  readonly assertion: string;
  /** The name under which the address of the client is counted. */
  readonly clientName: string;
}

export type GuestOutcome =
  | { readonly kind: 'guest'; readonly userId: string }
  | { readonly kind: 'use_nonce' }
  | { readonly kind: 'bad_assertion'; readonly description: string };

export interface Guests {
  /**
   * Returns who an assertion proves a client to be, and spends it. Rejects with the refusal `rate_limited` for one guest more than an
   * address may bring in an hour, which spends nothing, and with `StoreUnavailable`.
   */
  admit(request: GuestRequest): Promise<GuestOutcome>;
}

/** Returns the guests of an installation. */
export function createGuests({ store, nonces, newGuests, audience, now }: GuestsOptions): Guests {
  return {
    async admit({ project, clientId, environment, scope, assertion: text, clientName }) {
      const assertion = parseAssertion(text);
      if (assertion instanceof BadAssertion) return bad(assertion);
      const { nonce } = assertion.claims;
      const givenOutAt = typeof nonce === 'string' ? nonces.givenOutAt(nonce) : undefined;
      if (givenOutAt === undefined) return { kind: 'use_nonce' };
      const jti = readJti(assertion, { audience: audience(), clientId, scope });
      if (jti instanceof BadAssertion) return bad(jti);
      // What costs something comes last: a signature check, then a look-up, then a row.
      if (!(await isSignedByKey(assertion))) return wrongSignature;
      const { thumbprint } = assertion;
      const userId = guestIdOf(project.accountId, thumbprint);
      await newGuests.admit({ ...project, environment, endUserId: userId }, clientName);
      const ticket = hash('sha256', JSON.stringify(['guest', thumbprint, jti]), 'buffer');
      const spent = await store.spendTicket(ticket, endOfNonce(givenOutAt), now());
      return spent === 'spent' ? { kind: 'guest', userId } : usedBefore;
    },
  };
}

const bad = ({ description }: BadAssertion): GuestOutcome => ({ kind: 'bad_assertion', description });
const wrongSignature: GuestOutcome = {
  kind: 'bad_assertion',
  description: 'the signature of the assertion is not that of the key in its header',
};
const usedBefore: GuestOutcome = {
  kind: 'bad_assertion',
  description: 'the jti of the assertion was used before: sign another one',
};
