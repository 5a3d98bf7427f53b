/**
 * From the `Authorization` header to the principal.
 *
 * @see docs/contract.md §3.1 and §3.3, RFC 9110 §11.6.2, RFC 6750
 */
import type { CredentialKind } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import {
  credentialMissing,
  credentialOfOtherKind,
  credentialRejected,
  playerSignedOut,
} from '../common/requests/challenge.ts';
import { suspendedAccount } from '../common/requests/refusal.ts';
import { hashApiKey, isWellFormedApiKey } from '../common/secrets/api-key-text.ts';
import type { Scope } from '../storage/caches/access-changes.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ApiKey, ApiKeyUse } from '../storage/contract/api-keys.ts';
import type { Store } from '../storage/store.ts';
import type { Authorities } from './authorities.ts';
import { createLastUses, type LastUses, type ServiceAccountUses } from './last-uses.ts';
import type { PlayerEndings } from './player-endings.ts';
import type { ApiKeyPrincipal, DeveloperPrincipal, Principal, TokenCredential } from './principal.ts';
import type { KnownProject, ProjectCache } from './project-cache.ts';
import type { RevokedTokens } from './revoked-tokens.ts';

/** The form of a credential. @see RFC 9110 §11.2 */
const token68 = /^[A-Za-z0-9._~+/-]+=*$/;
const headerCharactersMax = 8_192;
/** `lastUsedAt` of an API key is accurate to a minute. */
const keyUseIntervalMs = 60_000;
/** Room for about 20,000 tokens of 800 characters and their principals. */
const rememberedBytesMax = 20_000 * 1_200;

const neverSeen = -1;

/** The result of verifying an access token: what it proves, or why it was rejected (a constant text). */
type TokenVerification =
  | { readonly kind: 'verified'; readonly principal: TokenCredential; readonly issuedAtMs: number }
  | { readonly kind: 'rejected'; readonly reason: string };

export interface AuthenticatorOptions {
  readonly store: Pick<Store, 'onAccessChange' | 'findAccount' | 'findApiKey' | 'recordApiKeyUse'>;
  readonly projectCache: ProjectCache;
  readonly authorities: Authorities;
  readonly playerEndings: Pick<PlayerEndings, 'hasEnded'>;
  readonly revokedTokens: Pick<RevokedTokens, 'isAlive' | 'hasEnded' | 'changes'>;
  readonly serviceAccountUses: ServiceAccountUses;
  readonly verifyAccessToken: (token: string) => Promise<TokenVerification>;
  readonly now: () => number;
}

export interface Authenticator {
  /**
   * Returns the principal of a request to a route that takes the kinds `accepted`, synchronously if the credential is remembered. Throws
   * (or rejects with) `unauthorized`; its challenge tells a missing credential from a rejected one.
   *
   * A token of a kind that the route does not take is refused later, by `authorizeProject` or `authorizeAccount`, since a malformed path is
   * refused first. An API key where the route takes none, or a bearer token where it takes only API keys, counts as no credential. Never
   * called for anonymous routes. `beforeLookUp` is called before an unknown credential is looked up or verified. If it throws, nothing is
   * looked up.
   */
  authenticate(
    authorization: string | undefined,
    accepted: readonly CredentialKind[],
    beforeLookUp?: () => void,
  ): Awaitable<Principal>;
  /** The principal of a remembered credential that has not expired; undefined if there is none, or it must be checked again. */
  recall(authorization: string | undefined, accepted: readonly CredentialKind[]): Principal | undefined;
  /**
   * How many events so far may have ended a credential or its access, other than expiry. What was checked at the same number still holds.
   */
  readonly changes: number;
  /** Writes the last uses of API keys. Call it before the store is closed. */
  close(): Promise<void>;
}

interface CachedCredential {
  readonly principal: Principal;
  /** When the next use of an API key or service account is worth recording; Infinity for other tokens. */
  noteAfterMs: number;
  /** `RevokedTokens.changes` when this token was last known to be alive. */
  aliveAt: number;
}

interface Presented {
  readonly scheme: 'bearer' | 'apikey';
  readonly credential: string;
}

/** Another account may have a key with the same id. */
const nameOf = ({ accountId, credentialId }: Principal): string => `${accountId}/${credentialId}`;

/** Returns a record of when API keys were used. It calls `write` about a second after a use. */
const createKeyUses = (write: (uses: readonly ApiKeyUse[]) => Promise<void>): LastUses<Principal> =>
  createLastUses(nameOf, keyUseIntervalMs, (uses) =>
    write(uses.map(([{ accountId, credentialId }, usedAt]) => ({ accountId, keyId: credentialId, usedAt }))),
  );

/** Returns an authenticator that remembers a credential until it expires or something it depends on changes. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { store, projectCache, serviceAccountUses, revokedTokens, now } = options;
  const remembered = new AccessCache<CachedCredential>(store, {
    bytesMax: rememberedBytesMax,
    scopeOf: (_, { principal }) => scopeOf(principal),
  });
  let changes = 0;
  store.onAccessChange((change) => {
    changes += 1;
    // The signing key of a token is not remembered, so all tokens are verified again.
    if (change.kind === 'signing_keys' && change.purpose === 'access_token') remembered.forget([]);
  });
  const uses = createKeyUses((noted) => store.recordApiKeyUse(noted));

  const noteUse = (principal: Principal, nowMs: number): number =>
    isServiceAccount(principal) ? serviceAccountUses.note(principal, nowMs) : uses.note(principal, nowMs);

  async function findKey(text: string): Promise<CachedCredential> {
    if (!isWellFormedApiKey(text)) throw credentialRejected('the API key is malformed');
    const key = await store.findApiKey(hashApiKey(text));
    // A key is deleted with its project.
    const project = key && (await projectCache.findProject(key));
    if (key === undefined || project === undefined) throw credentialRejected('the API key is unknown or was revoked');
    if ((await projectCache.standingOf(key.accountId))?.isSuspended) throw suspendedAccount();
    return { principal: principalOf(key, project), noteAfterMs: Number.NEGATIVE_INFINITY, aliveAt: neverSeen };
  }

  /** Looks up a credential that is not remembered. */
  async function find({ scheme, credential }: Presented): Promise<CachedCredential> {
    return scheme === 'bearer' ? verifyToken(options, credential) : findKey(credential);
  }

  async function lookUp(authorization: string, presented: Presented): Promise<Principal> {
    return await admit(await remembered.fill(authorization, () => find(presented)));
  }

  /** Rejects an ended token. */
  const admit = (entry: CachedCredential): Awaitable<Principal> =>
    isAlive(revokedTokens, entry)
      ? use(entry, now())
      : mapAwaitable(requireAlive(revokedTokens, entry), () => use(entry, now()));

  /** Rejects an expired credential, and records the use of an API key when that is due. */
  function use(entry: CachedCredential, nowMs: number): Principal {
    const { principal } = entry;
    if (nowMs >= principal.expiresAtMs) {
      throw credentialRejected(principal.kind === 'api_key' ? 'the API key expired' : 'the token expired');
    }
    if (nowMs >= entry.noteAfterMs) entry.noteAfterMs = noteUse(principal, nowMs);
    return principal;
  }

  return {
    recall(authorization, accepted) {
      const entry = authorization === undefined ? undefined : remembered.get(authorization);
      if (entry === undefined || !takesScheme(accepted, entry.principal.kind === 'api_key')) return undefined;
      const nowMs = now();
      return nowMs < entry.principal.expiresAtMs && isAlive(revokedTokens, entry) ? use(entry, nowMs) : undefined;
    },
    authenticate(authorization, accepted, beforeLookUp) {
      if (authorization === undefined) throw credentialMissing();
      const entry = remembered.get(authorization);
      if (entry !== undefined && takesScheme(accepted, entry.principal.kind === 'api_key')) return admit(entry);
      const presented = parseAuthorization(authorization, accepted);
      beforeLookUp?.();
      return lookUp(authorization, presented);
    },
    get changes() {
      return changes + revokedTokens.changes;
    },
    close: () => uses.close(),
  };
}

/** Whether a credential is known not to be an ended token; false also if the store must be asked. Checked again after other tokens end. */
function isAlive(revokedTokens: AuthenticatorOptions['revokedTokens'], entry: CachedCredential): boolean {
  const { principal } = entry;
  if (principal.kind === 'api_key' || entry.aliveAt === revokedTokens.changes) return true;
  if (!revokedTokens.isAlive(principal)) return false;
  entry.aliveAt = revokedTokens.changes;
  return true;
}

/** Rejects an ended token, asking the store if necessary. */
function requireAlive(revokedTokens: AuthenticatorOptions['revokedTokens'], entry: CachedCredential): Awaitable<void> {
  const { principal } = entry;
  if (principal.kind === 'api_key') return;
  const { changes } = revokedTokens;
  return mapAwaitable(revokedTokens.hasEnded(principal), (hasEnded) => {
    if (hasEnded) throw sessionEnded();
    entry.aliveAt = changes;
  });
}

/** Returns what a token proves, with its holder's authority. Rejects with `unauthorized`. */
async function verifyToken(
  { store, projectCache, authorities, playerEndings, verifyAccessToken }: AuthenticatorOptions,
  token: string,
): Promise<CachedCredential> {
  if (token.startsWith('svcs_')) {
    throw credentialRejected('this is the secret of a service account: exchange it for a token at POST /v1/auth/token');
  }
  if (/^svc[kp]_/.test(token)) {
    throw credentialRejected('this is an API key: send it as Authorization: ApiKey KEY, in place of Bearer');
  }
  const verification = await verifyAccessToken(token);
  if (verification.kind === 'rejected') throw credentialRejected(verification.reason);
  const proven = verification.principal;
  const standing = await projectCache.standingOf(proven.accountId);
  if (standing === undefined) throw credentialRejected('the account of the token no longer exists');
  if (standing.isSuspended) throw suspendedAccount();
  if (verification.issuedAtMs <= standing.signedOutAt) throw sessionEnded();
  if (proven.kind === 'end_user' && (await playerEndings.hasEnded(proven))) throw playerSignedOut();
  if (isWeak(proven) && (await store.findAccount(proven.accountId))?.requireSecondFactor) throw tooWeak();
  const principal = proven.kind === 'developer' ? await authorities.find(proven) : proven;
  if (principal === undefined) {
    throw credentialRejected(
      proven.kind === 'developer' && proven.actsAs === 'service_account'
        ? 'the service account, or the secret that the token was issued for, is gone'
        : 'the developer is not a member of the account of the token',
    );
  }
  const noteAfterMs = isServiceAccount(principal) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return { principal, noteAfterMs, aliveAt: neverSeen };
}

const isServiceAccount = (principal: Principal): principal is DeveloperPrincipal & { readonly secretId: string } =>
  principal.kind === 'developer' && principal.secretId !== undefined;

/** Whether an account may require more than the token proves. */
const isWeak = (proven: TokenCredential): boolean =>
  proven.kind === 'developer' && proven.actsAs === 'member' && proven.secondFactor === undefined;
const tooWeak = () => credentialRejected('the account requires a second factor: sign in again');

const sessionEnded = () => credentialRejected('the session was ended: sign in again');

/** Whether a route takes API keys (or, for `isApiKey` false, tokens of any kind). */
function takesScheme(accepted: readonly CredentialKind[], isApiKey: boolean): boolean {
  return isApiKey ? accepted.includes('api_key') : accepted.some((kind) => kind !== 'api_key');
}

/** Splits the header into its scheme, in any casing, and the credential; throws `unauthorized`. */
function parseAuthorization(authorization: string, accepted: readonly CredentialKind[]): Presented {
  const end = authorization.indexOf(' ');
  const scheme = schemeOf(end === -1 ? authorization : authorization.slice(0, end));
  if (scheme === undefined) throw credentialMissing();
  const credential = end === -1 ? '' : authorization.slice(end).trim();
  if (credential === '') throw credentialMissing();
  if (!takesScheme(accepted, scheme === 'apikey')) throw credentialOfOtherKind(scheme === 'apikey');
  if (authorization.length > headerCharactersMax) {
    throw credentialRejected(`the Authorization header has more than ${headerCharactersMax} characters`);
  }
  if (!token68.test(credential)) throw credentialRejected('the credential is malformed');
  return { scheme, credential };
}

/** Ignores the case of ASCII letters only: `toLowerCase` would also turn the Kelvin sign into a k. */
function schemeOf(name: string): Presented['scheme'] | undefined {
  if (/^bearer$/i.test(name)) return 'bearer';
  return /^apikey$/i.test(name) ? 'apikey' : undefined;
}

/** The changes after which a credential is forgotten: of its account, its project, and the key itself or the player. */
function scopeOf(principal: Principal): Scope {
  if (principal.kind === 'developer') return [principal.accountId];
  const { accountId, slug } = principal;
  return [accountId, slug, principal.kind === 'api_key' ? principal.keyId : principal.playerMark];
}

function principalOf(key: ApiKey, { protectedEnvironments, approvedEnvironments }: KnownProject): ApiKeyPrincipal {
  const {
    keyId,
    accountId,
    slug,
    name,
    start,
    kind: keyKind,
    access,
    environments,
    createdAt,
    expiresAt,
    requestsPerMinute,
  } = key;
  return {
    kind: 'api_key',
    credentialId: keyId,
    expiresAtMs: expiresAt ?? Number.POSITIVE_INFINITY,
    keyId,
    accountId,
    slug,
    name,
    start,
    keyKind,
    access,
    environments,
    protectedEnvironments,
    approvedEnvironments,
    createdAt,
    expiresAt,
    requestsPerMinute,
  };
}
