/**
 * Guests: players who have not signed in. A device key identifies a guest, so guests need no row and never expire: the same key is the same
 * player as long as the device keeps it.
 *
 * @see docs/contract.md §7.14
 */
import { hash } from 'node:crypto';
import { type Environment, guestIdPrefix, guestUpgraded } from '@holdfast/contract';
import { hashedIdentifier } from '../common/ids/base62.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import { BadAssertion, type ExpectedClaims, isSignedByKey, parseAssertion, readJti } from './guest-assertion.ts';
import { endOfNonce, type GuestNonces } from './guest-nonces.ts';

/** A limit on new guests. */
interface NewGuests {
  /**
   * Resolves if the guest is known, or the address may add another. Rejects with the refusal `rate_limited`, and with `StoreUnavailable`.
   */
  admit(guest: UserStateKey, clientName: string): Promise<void>;
}

export interface GuestsOptions {
  readonly store: Pick<Store, 'spendTicket' | 'findLinkedPlayer'>;
  readonly nonces: Pick<GuestNonces, 'issuedAt'>;
  readonly newGuests: NewGuests;
  /** The base URL. */
  readonly audience: () => string;
}

/** A request to play as a guest. */
interface GuestRequest {
  readonly project: ProjectKey;
  readonly clientId: string;
  readonly environment: Environment;
  /** The scope as the assertion must name it. */
  readonly scope: string;
  readonly assertion: string;
  /** The name under which the client's address is counted. */
  readonly clientName: string;
}

type GuestOutcome =
  | { readonly kind: 'guest'; readonly userId: string }
  | { readonly kind: 'use_nonce' }
  | { readonly kind: 'bad_assertion'; readonly description: string };

/** Proof by a guest for a purpose other than playing. */
interface GuestProof extends Omit<GuestRequest, 'environment' | 'clientName'> {
  readonly purpose: NonNullable<ExpectedClaims['purpose']>;
  /**
   * Called with a valid assertion's guest before the assertion is spent. If it rejects, the assertion remains valid, and nothing is stored.
   */
  readonly check?: (userId: string) => Promise<void>;
}

export interface Guests {
  /**
   * Returns the guest that an assertion proves, and spends the assertion. Rejects with the refusal `rate_limited`, without spending it, if
   * the address has reached its hourly limit of new guests, and with `StoreUnavailable`.
   */
  admit(request: GuestRequest): Promise<GuestOutcome>;
  /**
   * Returns the guest that an assertion for another purpose proves, and spends the assertion. The guest's key may be retired: the caller
   * must check. Rejects with `StoreUnavailable`.
   */
  prove(proof: GuestProof): Promise<GuestOutcome>;
}

/** Returns an installation's guests. */
export function createGuests({ store, nonces, newGuests, audience }: GuestsOptions): Guests {
  /** Costly checks come last: a signature check, then a look-up, then a row. */
  async function verify(
    { project, clientId, scope, assertion: text }: Omit<GuestRequest, 'environment' | 'clientName'>,
    purpose?: ExpectedClaims['purpose'],
  ) {
    const assertion = parseAssertion(text);
    if (assertion instanceof BadAssertion) return bad(assertion);
    const { nonce } = assertion.claims;
    const issuedAt = typeof nonce === 'string' ? nonces.issuedAt(nonce) : undefined;
    if (issuedAt === undefined) return useNonce;
    const jti = readJti(assertion, { audience: audience(), clientId, scope, purpose });
    if (jti instanceof BadAssertion) return bad(jti);
    if (!(await isSignedByKey(assertion))) return wrongSignature;
    const { thumbprint } = assertion;
    const ticket = hash('sha256', JSON.stringify(['guest', thumbprint, jti]), 'buffer');
    return { kind: 'signed', userId: guestIdOf(project.accountId, thumbprint), ticket, issuedAt } as const;
  }

  async function spend({ userId, ticket, issuedAt }: Signed): Promise<GuestOutcome> {
    const spent = await store.spendTicket(ticket, endOfNonce(issuedAt));
    return spent === 'spent' ? { kind: 'guest', userId } : usedBefore;
  }

  return {
    async admit(request) {
      const { project, environment, clientName } = request;
      const signed = await verify(request);
      if (signed.kind !== 'signed') return signed;
      if ((await store.findLinkedPlayer(project.accountId, signed.userId)) !== undefined) return upgraded;
      await newGuests.admit({ ...project, environment, playerId: signed.userId }, clientName);
      return spend(signed);
    },
    async prove(proof) {
      const signed = await verify(proof, proof.purpose);
      if (signed.kind !== 'signed') return signed;
      await proof.check?.(signed.userId);
      return spend(signed);
    },
  };
}

interface Signed {
  readonly userId: string;
  readonly ticket: Uint8Array;
  readonly issuedAt: number;
}

const bad = ({ description }: BadAssertion) => ({ kind: 'bad_assertion', description }) as const;
const useNonce = { kind: 'use_nonce' } as const;
const upgraded: GuestOutcome = { kind: 'bad_assertion', description: guestUpgraded };
const wrongSignature = {
  kind: 'bad_assertion',
  description: 'the assertion was not signed with the key in its header',
} as const;
const usedBefore: GuestOutcome = {
  kind: 'bad_assertion',
  description: 'the jti of the assertion was used before: sign another one',
};

/**
 * Returns the user id of a key's guest in an account: always the same, and indistinguishable from a random id, so two accounts cannot
 * discover that a guest plays with both. Nothing is stored for it.
 *
 * @see docs/contract.md §7.14
 */
function guestIdOf(accountId: string, thumbprint: string): string {
  return `${guestIdPrefix}${hashedIdentifier(`${accountId}\n${thumbprint}`)}`;
}
