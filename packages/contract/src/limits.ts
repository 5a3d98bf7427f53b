/**
 * Every limit of the wire, with its unit in its name. Limits that an operator may change are in the server's configuration; these are the
 * same on every installation.
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
/** Shortest `Idempotency-Key` of a refresh, which must be unguessable. */
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

/** Items per page of a list: the default and the maximum. */
export const pageItemsMax = 50;

/** Largest logo of a project, in bytes before base64. */
export const logoBytesMax = 65_536;

/** Most redirect URIs that one project may register. */
export const redirectUrisMax = 50;

/** Most identity providers that one account may configure. */
export const identityProvidersMax = 32;

/** Most API keys that one project may have. A complete list is produced in one piece without delaying others. */
export const apiKeysMax = 1_000;

/** Most members of one account. A complete list is produced in one piece. */
export const membersMax = 1_000;

/** Most open invitations of one account. */
export const openInvitationsMax = 100;

/** Longest email address that an invitation is for, in UTF-16 code units. @see RFC 5321 §4.5.3.1 */
export const emailCharactersMax = 254;

/** Most service accounts per account, and most secrets per service account. Two secrets allow rotation. */
export const serviceAccountsMax = 100;
export const serviceAccountSecretsMax = 2;

/** Most webhooks of one project. */
export const webhooksMax = 10;
/** The pauses before the second and each further try of a delivery, in seconds. */
export const webhookPauseSeconds: readonly number[] = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400];
export const webhookTriesMax = webhookPauseSeconds.length + 1;
/** Most waiting deliveries of one webhook. */
export const webhookWaitingMax = 10_000;
/** Most deliveries of one webhook that are listed, and that are kept of each way to end. */
export const webhookDeliveriesMax = 1_000;
/** Most headers of a receiver's response that are kept, and their characters in all. */
export const webhookResponseHeadersMax = 64;
export const webhookResponseCharactersMax = 4_096;
/** Longest URL and description of a webhook, in UTF-16 code units. */
export const webhookUrlCharactersMax = 2_048;
export const webhookDescriptionCharactersMax = 200;

/** Longest client id and client secret of an identity provider, in UTF-16 code units. */
export const clientIdCharactersMax = 512;
export const clientSecretCharactersMax = 4_096;

/** Longest redirect URI, in characters. */
export const redirectUriCharactersMax = 2_000;

/** Longest `state` of an authorization request, in UTF-16 code units. */
export const authorizeStateCharactersMax = 2_048;

/** The grant type of a guest, who signs with a device key. @see RFC 7523 §2.1 */
export const guestGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Largest assertion of a guest, in bytes. */
export const guestAssertionBytesMax = 2_048;

/** Longest `jti` of such an assertion, in UTF-16 code units. */
export const guestJtiCharactersMax = 64;

/** How long a nonce for such an assertion is valid, in seconds. */
export const authNonceSeconds = 300;

/** The description of `invalid_grant` for a guest who signed up or was merged into another player. Clients branch on it. */
export const guestUpgraded = 'guest_upgraded';

/** The prefix of every guest's user id. No subject of an identity provider may have it. */
export const guestIdPrefix = 'guest_';

/** Largest JSON body of an operation that writes no document, in bytes: a logo of the largest size in base64 fits. */
export const recordBytesMax = 131_072;

/** Largest request to evaluate flags, in bytes. The work of rules grows with the context. */
export const flagRequestBytesMax = 16_384;

/** Largest form-encoded body, in bytes. */
export const formBytesMax = 65_536;

/** Longest accepted `X-Request-Id` of a request, in visible ASCII characters. */
export const requestIdCharactersMax = 128;

/** The value of `Retry-After` while storage is unavailable, in seconds. */
export const storageRetryAfterSeconds = 5;

/** Open proposals of an environment; those of one author; and those of all who may not write there. */
export const openProposalsMax = 100;
export const openProposalsOfAuthorMax = 20;
export const openProposalsOfReadersMax = 50;

/** The most approvals that a project can require. */
export const requiredApprovalsMax = 5;

/** Conflicts that a response lists. */
export const listedConflictsMax = 100;

/** Largest body of a check: a document with everything escaped. */
export const checkBodyBytesMax = 2_097_152;

/** Longest reason of the block of a player, in UTF-16 code units. */
export const blockReasonCharactersMax = 1_000;

/** Up to this many matches of a search for players are counted and sorted by time. */
export const countedPlayersMax = 1_000;

/** Days without a refresh after which a session expires: the maximum that a project can set. */
export const sessionIdleDaysMax = 400;

/** Characters of a project's own words in mails. */
export const mailSubjectCharactersMax = 100;
export const mailGreetingCharactersMax = 200;
export const mailFooterCharactersMax = 500;

/** Versions of a user state that a project may keep besides the current one, and days to keep them after they were replaced. */
export const historyVersionsMax = 1_000;
export const historyDaysMax = 400;

/** Which versions of user states, or of public state, a project keeps besides the current one. */
export interface HistorySetting {
  readonly versions: number;
  readonly days: number;
}

/** A project's default retention. */
export const userStateHistoryDefault: HistorySetting = { versions: 20, days: 30 };

/** Days of requests kept by caller and code, today included, and the default number in a response. */
export const requestFigureDaysMax = 92;
export const requestFigureDaysDefault = 30;

/** Most callers listed in a response about requests. */
export const requestCallersMax = 200;
