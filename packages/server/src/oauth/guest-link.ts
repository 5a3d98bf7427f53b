/**
 * The upgrade of a guest: exchanges a code together with an assertion of the guest. The identity that signed in becomes the guest's
 * sign-in, unless it already belongs to a player.
 *
 * The assertion is checked before the code is spent, so a client can repeat the exchange with a new assertion.
 *
 * @see docs/contract.md §7.16
 */
import { hash } from 'node:crypto';
import { guestUpgraded } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { hashSecret } from '../common/secrets/secret-text.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { RefreshFamily, SignInClaims } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import type { TokenSigner } from './access-token.ts';
import type { GuestOutcome } from './guest-grant.ts';
import { blocked, invalidCode, signAccessToken, type TokenOutcome, tokens, useNonce } from './token.ts';
import { type TokenError, tokenError } from './token-error.ts';

/** A checked code, and the tokens to exchange it for. */
interface LinkingRequest {
  readonly code: string;
  readonly codeHash: Uint8Array;
  readonly family: RefreshFamily;
  readonly secret: string;
  readonly signer: TokenSigner;
  readonly claims: SignInClaims;
  readonly linkAssertion: string;
}

export type LinkingRedemption = (request: LinkingRequest) => Promise<TokenOutcome>;

export interface GuestLinkOptions {
  readonly store: Pick<Store, 'redeemCodeLinking' | 'findPlayerAccess' | 'isUpgradeFinished'>;
  readonly guests: {
    prove(proof: {
      readonly project: ProjectKey;
      readonly clientId: string;
      readonly scope: string;
      readonly assertion: string;
      readonly purpose: { readonly claim: 'link_code'; readonly value: string };
    }): Promise<GuestOutcome>;
  };
  readonly accessTokenSeconds: number;
  readonly now: () => number;
}

/** Returns the function that exchanges a code for a guest. */
export function createGuestLink({ store, guests, accessTokenSeconds, now }: GuestLinkOptions): LinkingRedemption {
  return async ({ code, codeHash, family, secret, signer, claims, linkAssertion: assertion }) => {
    const { accountId, slug, environment, clientId, scope } = family;
    if (slug === null || environment === null) return ofDeveloper;
    const unfinished = await upgradeFault(store);
    if (unfinished !== undefined) return unfinished;
    const purpose = { claim: 'link_code', value: hash('sha256', code, 'base64url') } as const;
    const guest = await guests.prove({ project: { accountId, slug }, clientId, scope, assertion, purpose });
    if (guest.kind === 'use_nonce') return useNonce;
    if (guest.kind === 'bad_assertion') return tokenError('invalid_grant', guest.description);
    const { userId: guestId } = guest;
    const place = { accountId, slug, environment, playerId: guestId };
    const { epoch } = await store.findPlayerAccess(place, now());
    const outcome = await store.redeemCodeLinking(codeHash, family, hashSecret(secret), { guestId, epoch }, now());
    switch (outcome.kind) {
      case 'guest_upgraded':
        return tokenError('invalid_grant', guestUpgraded);
      case 'linked':
      case 'in_use': {
        const isGuest = outcome.subject === guestId;
        const granted = isGuest ? { ...family, subject: guestId, epoch } : family;
        const accessToken = signAccessToken(signer, granted, claims, accessTokenSeconds);
        return { ...tokens(granted, accessToken, accessTokenSeconds, secret), link: outcome.kind };
      }
      case 'blocked':
        return blocked;
      default:
        return invalidCode;
    }
  };
}

const ofDeveloper = tokenError('invalid_request', 'link_assertion is for players, and the code is of a developer');

/** Older nodes would still accept the guest's key, and give the identity a separate player. */
async function upgradeFault(store: Pick<Store, 'isUpgradeFinished'>): Promise<TokenError | undefined> {
  try {
    await requireFinishedUpgrade(store, 'linkedGuests');
    return undefined;
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    return tokenError('upgrade_unfinished', fault.message);
  }
}
