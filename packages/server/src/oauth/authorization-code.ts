/**
 * Authorization codes: their binding, lifetime and single use.
 *
 * Nothing is checked first and spent later. Reading beforehand only avoids spending a code in vain; the store decides in one step which of
 * several parallel uses wins. The signing key is loaded before that step, so a request that fails without it has spent nothing and can be
 * repeated.
 *
 * @see docs/contract.md §7.4 and §7.5, RFC 6749 §4.1.3, RFC 7636 §4.6, RFC 9700 §4.14
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { hashSecret, randomSecret } from '../common/secrets/secret-text.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { PlayerAccess } from '../storage/contract/players.ts';
import type { AuthorizationCode, RefreshFamily } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import type { LinkingRedemption } from './guest-link.ts';
import type { RefreshOptions } from './refresh.ts';
import { newFamilyId } from './refresh-token-text.ts';
import { blocked, type Grant, invalidCode, signAccessToken, tokens } from './token.ts';
import { tokenError } from './token-error.ts';

const codeMilliseconds = 60_000;
const absoluteMilliseconds = 365 * dayMilliseconds;
/** @see RFC 7636 §4.1 */
const verifierPattern = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Stores the binding of a new code, and returns the code; undefined if the project or account no longer exists. */
export async function issueCode(
  store: Pick<Store, 'addAuthorizationCode'>,
  bound: Omit<AuthorizationCode, 'expiresAt'>,
  nowMs: number,
): Promise<string | undefined> {
  const code = randomSecret();
  const outcome = await store.addAuthorizationCode(hashSecret(code), { ...bound, expiresAt: nowMs + codeMilliseconds });
  return outcome === 'added' ? code : undefined;
}

export interface RedeemOptions extends Pick<RefreshOptions, 'accessTokens' | 'accessTokenSeconds' | 'now'> {
  readonly store: Pick<
    Store,
    'findAuthorizationCode' | 'redeemAuthorizationCode' | 'revokeRefreshFamily' | 'findPlayerAccess'
  >;
  /** Exchanges a code for a guest's sign-up. */
  readonly redeemLinking: LinkingRedemption;
}

/** Returns the grant that exchanges a code for tokens. */
export function createCodeGrant(options: RedeemOptions): Grant {
  const { store, now } = options;
  return async (form, { clientId, idleMilliseconds }, { sessionLabel }) => {
    const code = form.get('code');
    const verifier = form.get('code_verifier');
    const redirectUri = form.get('redirect_uri');
    if (code === undefined) return tokenError('invalid_request', 'code is missing');
    if (redirectUri === undefined) return tokenError('invalid_request', 'redirect_uri is missing');
    if (verifier === undefined) return tokenError('invalid_request', 'code_verifier is missing');
    if (!verifierPattern.test(verifier)) return tokenError('invalid_request', 'code_verifier is malformed');

    const codeHash = hashSecret(code);
    const found = await store.findAuthorizationCode(codeHash, now());
    if (found === undefined) return invalidCode;
    // Two parties have the code, so one of them stole it: the code's family ends, regardless of the rest of the request.
    if (found.spentForFamilyId !== null) {
      await store.revokeRefreshFamily(found.spentForFamilyId, now());
      return invalidCode;
    }
    if (found.code.clientId !== clientId) return tokenError('invalid_grant', 'the code belongs to another client');
    if (found.code.redirectUri !== redirectUri) return tokenError('invalid_grant', 'the code is of another redirect_uri');
    if (!matchesChallenge(verifier, found.code)) return tokenError('invalid_grant', 'code_verifier does not fit the code');

    const access = await accessOf(options, found.code);
    if (access.isBlocked) return blocked;
    const secret = randomSecret();
    const times = timesOf(now(), idleMilliseconds);
    const family = { ...newFamily(found.code, times, sessionLabel), epoch: access.epoch };
    const signer = await options.accessTokens.signer();
    const linkAssertion = form.get('link_assertion');
    if (linkAssertion !== undefined) {
      const { email, name } = found.code;
      return options.redeemLinking({ code, codeHash, family, secret, signer, claims: { email, name }, linkAssertion });
    }
    const accessToken = signAccessToken(signer, family, found.code, options.accessTokenSeconds);
    const outcome = await store.redeemAuthorizationCode(codeHash, family, hashSecret(secret), now());
    return outcome === 'redeemed' ? tokens(family, accessToken, options.accessTokenSeconds, secret) : invalidCode;
  };
}

/** Whether the player of a code may have tokens, and of which epoch. */
async function accessOf({ store, now }: RedeemOptions, code: AuthorizationCode): Promise<PlayerAccess> {
  const { accountId, slug, environment, subject: playerId } = code;
  if (slug === null || environment === null) return { epoch: 0, isBlocked: false };
  return store.findPlayerAccess({ accountId, slug, environment, playerId }, now());
}

/** Whether the verifier hashes to the challenge; both have 43 characters. @see RFC 7636 §4.6 */
function matchesChallenge(verifier: string, { codeChallenge }: AuthorizationCode): boolean {
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(codeChallenge));
}

type FamilyTimes = Pick<RefreshFamily, 'createdAt' | 'idleExpiresAt' | 'absoluteExpiresAt'>;

/** A family ends after a year, even if it may be idle for longer. */
function timesOf(createdAt: number, idleMilliseconds: number): FamilyTimes {
  const absoluteExpiresAt = createdAt + absoluteMilliseconds;
  return { createdAt, idleExpiresAt: Math.min(createdAt + idleMilliseconds, absoluteExpiresAt), absoluteExpiresAt };
}

function newFamily(code: AuthorizationCode, times: FamilyTimes, sessionLabel: string | undefined): RefreshFamily {
  const { accountId, slug, environment, clientId, subject, scope, amr } = code;
  return {
    familyId: newFamilyId(),
    accountId,
    slug,
    environment,
    clientId,
    subject,
    scope,
    amr,
    sessionLabel,
    createdAt: times.createdAt,
    idleExpiresAt: times.idleExpiresAt,
    absoluteExpiresAt: times.absoluteExpiresAt,
  };
}
