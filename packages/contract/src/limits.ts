/**
 * Every limit of the wire, with its unit in its name. Limits that an operator may change are in the configuration of the
 * server; those here are the same on every installation.
 *
 * @see docs/contract.md §10.3
 */

/** Largest state, in UTF-16 code units of its compact JSON text: `JSON.stringify(state).length`. */
export const stateCharactersMax = 256_000;

/** Deepest nesting of arrays and objects in a document; its root is level 1. */
export const nestingDepthMax = 256;

/** Longest comment on a version, in UTF-16 code units. */
export const commentCharactersMax = 1_000;

/** Longest `Idempotency-Key`, in visible ASCII characters, and how long the key of a successful write is kept. */
export const idempotencyKeyCharactersMax = 255;
export const idempotencyKeyHoursKept = 24;
/** Shortest `Idempotency-Key` of a refresh, which nobody may guess. */
export const refreshKeyCharactersMin = 16;

/** How long a long poll waits for a change, in seconds. */
export const pollSecondsMax = 55;
export const pollSecondsDefault = 25;

/** Longest project slug, in characters. */
export const slugCharactersMax = 64;

/** Longest display name of an account, project or API key, in UTF-16 code units. */
export const nameCharactersMax = 200;

/** Longest player identifier after trimming, in UTF-16 code units. */
export const playerIdCharactersMax = 512;

/** Items on a page of any paged list: the default and the largest. */
export const pageItemsMax = 50;

/** Largest logo of a project, in bytes before base64. */
export const logoBytesMax = 65_536;

/** Most redirect URIs that one project may register. */
export const redirectUrisMax = 50;

/** Most identity providers that one account may configure. */
export const identityProvidersMax = 32;

/** Most API keys that one project may have. A list of them all is made at once, without delaying others. */
export const apiKeysMax = 1_000;

/** Most members of one account. A list of them all is made at once. */
export const membersMax = 1_000;

/** Most invitations of one account that are open at a time. */
export const openInvitationsMax = 100;

/** Longest email address that an invitation is for, in UTF-16 code units. @see RFC 5321 §4.5.3.1 */
export const emailCharactersMax = 254;

/** Most service accounts of one account, and most secrets of one of them: one can so take the place of the other. */
export const serviceAccountsMax = 100;
export const serviceAccountSecretsMax = 2;

/** Longest client id and client secret that an identity provider may have given, in UTF-16 code units. */
export const clientIdCharactersMax = 512;
export const clientSecretCharactersMax = 4_096;

/** Longest redirect URI, in characters. */
export const redirectUriCharactersMax = 2_000;

/** Longest `state` of an authorization request, in UTF-16 code units. */
export const authorizeStateCharactersMax = 2_048;

/** The grant type of a guest, who signs with a key of its own. @see RFC 7523 §2.1 */
export const guestGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Largest assertion of a guest, in bytes. */
export const guestAssertionBytesMax = 2_048;

/** Longest `jti` of such an assertion, in UTF-16 code units. */
export const guestJtiCharactersMax = 64;

/** How long a nonce for such an assertion is good, in seconds. */
export const authNonceSeconds = 300;

/** The description of `invalid_grant` for a guest who can sign in by now, or was merged into another player. Clients branch on it. */
export const guestUpgraded = 'guest_upgraded';

/** How the user id of every guest begins. No subject of an identity provider may. */
export const guestIdPrefix = 'guest_';

/** Largest JSON body of an operation that writes no document, in bytes: a logo of the largest size in base64 fits. */
export const recordBytesMax = 131_072;

/** Largest request to evaluate flags, in bytes. What rules can do with a context grows with it. */
export const flagRequestBytesMax = 16_384;

/** Largest form-encoded body, in bytes. */
export const formBytesMax = 65_536;

/** Longest `X-Request-Id` that is taken over from a request, in visible ASCII characters. */
export const requestIdCharactersMax = 128;

/** What `Retry-After` says while storage is unavailable, in seconds. */
export const storageRetryAfterSeconds = 5;

/** The body of a check: a document, when all of it is escaped. */
export const checkBodyBytesMax = 2_097_152;

/** Longest reason of the block of a player, in UTF-16 code units. */
export const blockReasonCharactersMax = 1_000;

/** So many matches of a search for players are counted, and sorted by time. */
export const countedPlayersMax = 1_000;

/** Days without a refresh after which a session ends: the most that a project can set. */
export const sessionIdleDaysMax = 400;

/** Versions of a user state that a project may keep beside the current one, and for how many days after they were replaced. */
export const historyVersionsMax = 1_000;
export const historyDaysMax = 400;

/** Which versions of user states, or of public state, a project keeps beside the current one. */
export interface HistorySetting {
  readonly versions: number;
  readonly days: number;
}

/** What a project keeps unless its settings say otherwise. */
export const userStateHistoryDefault: HistorySetting = { versions: 20, days: 30 };

/** Days whose requests are kept by caller and code, today included, and how many a response has unless it is asked for others. */
export const requestFigureDaysMax = 92;
export const requestFigureDaysDefault = 30;

/** Callers that a response about requests names. */
export const requestCallersMax = 200;
