/**
 * The refresh grant: each refresh token is exchanged once, for the next one. A client that got no response repeats the exchange with the
 * same key and gets the same token again.
 *
 * @see docs/contract.md §7.6, RFC 6749 §6, RFC 9700 §4.14
 */
import { idempotencyKeyCharactersMax, refreshKeyCharactersMin } from '@holdfast/contract';
import { isIssuedBefore } from '../access/rules/token-age.ts';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { hashSecret, randomSecret } from '../common/secrets/secret-text.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { RefreshFamily, RefreshTerms, SignInClaims } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import type { AccessTokens } from './access-token.ts';
import { operatorSubject } from './access-token-claims.ts';
import { markOf, parseRefreshToken, type SecretChain } from './refresh-token-text.ts';
import { blocked, type Grant, signAccessToken, suspended, tokens } from './token.ts';
import { type TokenError, tokenError } from './token-error.ts';

const hour = 60 * 60 * 1000;
/** Time after an exchange during which its repeats get the token. */
const repeatMilliseconds = 24 * hour;

const keyPattern = new RegExp(`^[\\x21-\\x7e]{${refreshKeyCharactersMin},${idempotencyKeyCharactersMax}}$`);

export interface RefreshOptions {
  readonly store: Pick<
    Store,
    | 'findRefreshFamily'
    | 'consumeRefreshToken'
    | 'revokeRefreshFamily'
    | 'isSuspendedFamily'
    | 'findPlayerOfFamily'
    | 'findPlayerAccess'
  >;
  readonly accessTokens: AccessTokens;
  /** Makes the secret of an exchange that may be repeated. */
  readonly secretChain: SecretChain;
  /** When a project was created; undefined if it does not exist. */
  readonly projectCreatedAt: (key: ProjectKey) => Awaitable<number | undefined>;
  readonly accessTokenSeconds: number;
  /** Time after its replacement during which a repeated refresh token only fails its own request. */
  readonly refreshReplayGraceSeconds: number;
  /** Whether a developer is still a member of the account. Called for each refresh, which is when a developer was last seen. */
  readonly admitsDeveloper: (accountId: string, subject: string) => Awaitable<boolean>;
  readonly now: () => number;
}

/** Returns the refresh grant. The step of the store that uses up the token also compares the request with the family. */
export function createRefreshGrant(options: RefreshOptions): Grant {
  const { store, accessTokens, now } = options;
  return async (form, { clientId, idleMilliseconds }, { idempotencyKey: key, sessionLabel, count }) => {
    const text = form.get('refresh_token');
    if (text === undefined) return tokenError('invalid_request', 'refresh_token is missing');
    if (key !== undefined && !keyPattern.test(key)) return malformedKey;
    const token = parseRefreshToken(text);
    if (token === undefined) return invalidRefreshToken;
    count.checkFamily(token.familyId);
    const scope = form.get('scope');
    const previousToken = form.get('previous_access_token');
    const previous = previousToken === undefined ? nothing : await readPrevious(options, previousToken);
    if (previous === undefined) {
      const family = await store.findRefreshFamily(token.familyId, now());
      return family === undefined ? invalidRefreshToken : mismatch(family, clientId, scope);
    }
    const signing = accessTokens.signer();
    const signer = signing instanceof Promise ? await signing : signing;
    // One time for all tries: if the first is within grace, so is the last.
    const time = now();
    const next = {
      idleExpiresAt: time + idleMilliseconds,
      issuedAfter: time - idleMilliseconds,
      sessionLabel,
      repeat: key === undefined ? undefined : { mark: markOf(token, key), notBefore: time - repeatMilliseconds },
    };
    const grace = options.refreshReplayGraceSeconds * 1000;
    const terms = { ...previous.person, clientId, scope };
    const use = (secret: string) =>
      store.consumeRefreshToken(token, { ...next, secretHash: hashSecret(secret) }, time, grace, terms);
    let [secret = randomSecret(), ...others] = key === undefined ? [] : options.secretChain(token, key);
    let outcome = await use(secret);
    // A node that seals with the other secret key may have carried out the exchange. Its repeat has ended no family: the mark of an
    // exchange is the same with every key.
    while (outcome.kind === 'replayed' && others.length > 0) {
      [secret = '', ...others] = others;
      outcome = await use(secret);
    }
    if (outcome.kind === 'mismatched') return mismatch(outcome.family, clientId, scope);
    if (outcome.kind !== 'consumed' && outcome.kind !== 'repeated') return explainLost(options, token.familyId);
    const admitting = admits(options, outcome.family);
    if (!(admitting instanceof Promise ? await admitting : admitting)) return invalidRefreshToken;
    const accessToken = signAccessToken(signer, outcome.family, previous.claims, options.accessTokenSeconds);
    return tokens(outcome.family, accessToken, options.accessTokenSeconds, secret);
  };
}

/**
 * Why a family cannot be used: its account is suspended, the player is blocked, or anything else. A block revokes the family, but its
 * player is still known.
 */
async function explainLost({ store, now }: RefreshOptions, familyId: string): Promise<TokenError> {
  if (await store.isSuspendedFamily(familyId)) return suspended;
  const player = await store.findPlayerOfFamily(familyId);
  if (player === undefined) return invalidRefreshToken;
  return (await store.findPlayerAccess(player, now())).isBlocked ? blocked : invalidRefreshToken;
}

/** Whether the person of a family may still have tokens of it. A developer's family ends with the membership. */
function admits({ store, admitsDeveloper, now }: RefreshOptions, family: RefreshFamily): Awaitable<boolean> {
  const { slug, accountId, subject, familyId } = family;
  if (slug !== null || subject === operatorSubject) return true;
  return mapAwaitable(
    admitsDeveloper(accountId, subject),
    (isMember) => isMember || store.revokeRefreshFamily(familyId, now()).then(() => false),
  );
}

/** Why the family does not match the request or the previous access token. */
function mismatch(family: RefreshFamily, clientId: string, scope: string | undefined): TokenError {
  if (family.clientId !== clientId) return tokenError('invalid_grant', 'the refresh token is of another client');
  if (scope !== undefined && scope !== family.scope) return tokenError('invalid_scope', 'another scope was granted');
  return tokenError('invalid_grant', 'previous_access_token is not an access token of this end user', { status: 401 });
}

const malformedKey = tokenError(
  'invalid_request',
  `the header Idempotency-Key must be ${refreshKeyCharactersMin} to ${idempotencyKeyCharactersMax} visible ASCII characters, sent once`,
);
const invalidRefreshToken = tokenError(
  'invalid_grant',
  'the refresh token is unknown, expired, revoked or was used before',
);

const noClaims: SignInClaims = { email: null, name: null };

/** Claims that a refresh takes over from the previous access token, and the required owner of its family. */
interface Previous {
  readonly claims: SignInClaims;
  readonly person: RefreshTerms;
}

/** Without a previous access token, nothing is taken over. */
const nothing: Previous = { claims: noClaims, person: {} };

/**
 * Reads the previous access token, expired or not. Undefined if it is not one of our player tokens, or
 * its project was deleted since. @see docs/contract.md §7.6
 */
async function readPrevious(
  { accessTokens, projectCreatedAt }: Pick<RefreshOptions, 'accessTokens' | 'projectCreatedAt'>,
  token: string,
): Promise<Previous | undefined> {
  const previous = await accessTokens.verify(token, { acceptExpired: true });
  if (previous.kind === 'rejected' || previous.principal.kind !== 'end_user') return undefined;
  const { accountId, slug, environment, userId: subject, issuedAtMs } = previous.principal;
  const createdAt = await projectCreatedAt({ accountId, slug });
  if (createdAt === undefined || isIssuedBefore(createdAt, issuedAtMs)) return undefined;
  const { email = null, name = null } = previous;
  return { claims: { email, name }, person: { accountId, slug, environment, subject } };
}
