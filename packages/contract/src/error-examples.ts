/** An example for each code, with the message of the service. */
import type { ErrorCode, QuotaCode } from './errors.ts';
import { accountMessages } from './messages/accounts.ts';
import type { TokenErrorCode } from './token-errors.ts';

/** A body, and a short summary of the case. */
interface ErrorExample {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The summary of an example, the message of the service, and other fields of the body. */
type Row = readonly [summary: string, message: string, more?: object];

const envelopes: Readonly<Record<ErrorCode, Row | Readonly<Record<string, Row>>>> = {
  validation_error: [
    'A path segment, query parameter, header or body breaks a rule',
    'path segment env: "Production" is not one of development, staging, production',
  ],
  patch_invalid: ['The list of operations is empty', 'cannot read the patch: "ops" is empty'],
  patch_unsupported_operation: [
    'Only add, remove and replace are allowed',
    'cannot read operation 0: "op" is "move", not "add", "remove" or "replace"',
  ],
  patch_invalid_path: [
    'A path is not empty and does not begin with a slash',
    'cannot read operation 0: "path" "theme" does not begin with "/"',
  ],
  patch_missing_value: ['add and replace need a value', 'cannot read operation 0: "add" needs a "value"'],
  patch_path_not_found: [
    'A patch does not create missing parents',
    'cannot apply operation 0: "/features" has no member "search"',
  ],
  patch_path_untraversable: [
    'A string, number, boolean or null has no members',
    'cannot apply operation 0: "/theme" is neither an object nor an array',
  ],
  patch_invalid_array_index: [
    'An index is past the end of the array',
    'cannot apply operation 1: index 7 is out of range, "/levels" has length 3',
  ],
  patch_invalid_state_root: ['A document is an object', 'cannot apply operation 0: the resulting root is not an object'],
  patch_state_too_large: [
    'The result would be too large',
    'the state would take 256001 characters; at most 256000 are stored',
  ],
  flag_error: [
    'A rule of the flag is unknown to flagd',
    'the flag cannot be used: unknown operator "iff"',
    { key: 'new-shop', errorCode: 'PARSE_ERROR', errorDetails: 'the flag cannot be used: unknown operator "iff"' },
  ],
  unauthorized: {
    missing: [
      'There is no credential: `WWW-Authenticate: Bearer`',
      'this route needs a credential in the header Authorization',
    ],
    rejected: [
      'The credential was rejected: `WWW-Authenticate: Bearer error="invalid_token", …`',
      'the credential was rejected: the token expired',
    ],
  },
  forbidden: ['The record belongs to somebody else', 'this account is not yours'],
  sign_in_again: [
    'Sign in again, and repeat the request',
    'this needs a sign-in within the last 10 minutes: sign in again',
  ],
  approval_required: [
    'Propose the change instead',
    'changes in the environment production need approval by other people: propose this one, at …/public-state/production/proposals',
  ],
  not_found: ['The record does not exist', 'the account has no project "helo"'],
  method_not_allowed: [
    'The path does not support this method; `Allow` lists those that it supports',
    'this path does not take POST',
  ],
  request_timeout: ['The body arrived too slowly', 'the body did not arrive within 30 s'],
  already_exists: ['The identifier is taken', 'the project hello already exists'],
  outside_issuer: [
    'Second factors are set up at the identity provider',
    'an outside identity provider signs people in: what they have to prove is set up there',
  ],
  already_delivered: [
    'A successful delivery is not sent again',
    'the delivery msg_2pWm7ZcV9bXk4LdF6gHjQs was successful: there is nothing to retry',
  ],
  last_owner: ['The account would have no owner', 'the account has no other owner: make another member an owner first'],
  player_blocked: [
    'The block must end first',
    'a project of the account blocks this user, who could sign up again: lift the block first',
  ],
  nothing_to_merge: [
    'The guest has no save yet: continue with the player',
    'the guest has no save in any project of the account: there is nothing to merge',
  ],
  base_gone: [
    'Propose the change again',
    'version 3 is no longer kept, or does not exist yet: propose the change on the current version',
  ],
  merge_conflict: [
    'Both changed the same value: edit the proposal',
    'the document has changed where the proposal changes it: /shop/sword/price',
    { conflicts: ['/shop/sword/price'] },
  ],
  proposal_ended: ['Nothing is left to do', 'the proposal was withdrawn'],
  limit_reached: [
    'Remove one first',
    'the account has 100 open invitations: withdraw one, or wait; each ends after 7 days',
  ],
  upgrade_unfinished: [
    'Repeat the request once the operator has finished the upgrade',
    'nodes of an older version may still run, which would not hold this',
  ],
  version_conflict: {
    stale: [
      'Somebody else wrote first: read again, apply the change, write with the new entity tag',
      'cannot write over version 2: the current version is 3',
      { currentVersion: 3 },
    ],
    exists: [
      '`If-None-Match: *`, but the state already exists',
      'cannot create the state: the current version is 3',
      { currentVersion: 3 },
    ],
    absent: [
      '`If-Match`, but there is no state yet: create it with `If-None-Match: *`',
      'cannot write over version 2: there is no state yet',
      { currentVersion: null },
    ],
    overtaken: [
      'A repeated write that was already carried out, with a newer version since',
      'this write was carried out before, as version 3: the current version is 5',
      { currentVersion: 5, appliedVersion: 3 },
    ],
    both: [
      'Both headers were sent',
      'If-Match and If-None-Match exclude each other; the current version is 3',
      { currentVersion: 3 },
    ],
  },
  idempotency_key_reused: [
    'The key was used for another write',
    'this Idempotency-Key was sent with another body or precondition; use a new key for another write',
  ],
  payload_too_large: ['The body is too large', 'the body exceeds 2097152 bytes'],
  unsupported_media_type: ['The body has an unsupported media type', 'the body must be application/json in UTF-8'],
  expectation_failed: ['The header Expect has an unsupported value', 'the only supported expectation is 100-continue'],
  rate_limited: [
    'Too many requests within a minute; `Retry-After` says how long to wait',
    'more than 600 requests within a minute; wait 17 s',
  ],
  headers_too_large: ['The headers are too large', 'the request line and headers exceed 16384 bytes'],
  internal_error: ['An error in the service', 'the service failed; its log has the cause under the request id'],
  service_unavailable: [
    'Repeat the request unchanged after `Retry-After`',
    'storage is unavailable; repeat the request unchanged later',
  ],
};

const quotas: Readonly<Record<QuotaCode, Row>> = {
  QUOTA_API_REQUESTS: [
    'The requests of this month are used up; `Retry-After` says how long to wait',
    'the account has used its 1000000 API requests of this month',
    { limit: 1_000_000, used: 1_000_000, resetsAt: '2026-04-01T00:00:00.000Z' },
  ],
  QUOTA_PROJECTS: [
    'The account has reached its limit on projects',
    'cannot create the project: the account has 10 projects and may have 10',
    { limit: 10, used: 10 },
  ],
  QUOTA_END_USERS: [
    'The account has reached its limit on end users',
    'cannot store the state of a new end user: the account has 1000 end users and may have 1000',
    { limit: 1_000, used: 1_000 },
  ],
  QUOTA_API_KEYS: [
    'The project has reached its limit on API keys',
    'cannot create the API key: the project has 1000 API keys and may have 1000; revoke one first',
    { limit: 1_000, used: 1_000 },
  ],
  QUOTA_STORAGE: [
    'The account has reached its limit on storage',
    'cannot store the state: the account stores 10485760 bytes and may store 10485760',
    { limit: 10_485_760, used: 10_485_760 },
  ],
};

/** Codes of the token endpoint. Those common to every route use the examples of the envelope. */
const tokens: Readonly<Record<TokenErrorCode, Row> & { rate_limited: Row }> = {
  rate_limited: [
    'Too many requests within a minute; `Retry-After` says how long to wait',
    'more than 120 requests within a minute; wait 17 s',
  ],
  invalid_request: ['A parameter is missing', 'client_id is missing'],
  invalid_client: ['The client is unknown', 'the client is not known'],
  invalid_grant: ['A refresh token works once', 'the refresh token is unknown, expired, revoked or was used before'],
  unauthorized_client: [
    'The project does not allow guests',
    'the project lets no guests in: its sign-in settings do not name "anonymous" in allowedIdps',
  ],
  use_nonce: [
    'The nonce is missing, too old or from another service',
    'sign another assertion, with the nonce that the header Auth-Nonce of this response has',
  ],
  forbidden: ['The account is suspended', accountMessages.suspended],
  upgrade_unfinished: [
    'A guest cannot sign up yet',
    'nodes of an older version may still run, which would not hold this: the operator has to run "holdfast upgrade --finish" once the last one is replaced',
  ],
  unsupported_grant_type: [
    'There are four grant types',
    'grant_type is not one of authorization_code, refresh_token, client_credentials, urn:ietf:params:oauth:grant-type:jwt-bearer',
  ],
  invalid_scope: ['The scope is not the granted one', 'another scope was granted'],
};

/** `invalid_grant` has status 401 if it concerns the previous access token. @see docs/contract.md §7.5 */
const previousToken: Row = [
  'The previous access token belongs to another user',
  'previous_access_token is not an access token of this end user',
];

type Examples = Readonly<Record<string, ErrorExample>>;

const isRow = (one: Row | Readonly<Record<string, Row>>): one is Row => Array.isArray(one);

/** Returns the examples of codes of the envelope, by code, or by separate names if a code has several. */
export const envelopeExamples = (codes: readonly ErrorCode[]): Examples =>
  examplesOf(
    codes,
    (code) => envelopes[code],
    (code, message) => ({ error: code, message }),
  );

/** Returns the examples of quota bodies. */
export const quotaExamples = (codes: readonly QuotaCode[]): Examples =>
  examplesOf(
    codes,
    (code) => quotas[code],
    (code, message) => ({ code, message }),
  );

/** Returns the examples of responses of the token endpoint with a status. */
export const tokenExamples = (codes: readonly (TokenErrorCode | ErrorCode)[], status: number): Examples =>
  examplesOf(
    codes,
    (code) => (code === 'invalid_grant' && status === 401 ? previousToken : { ...envelopes, ...tokens }[code]),
    (code, description) => ({ error: code, error_description: description }),
  );

function examplesOf<Code extends string>(
  codes: readonly Code[],
  rowsOf: (code: Code) => Row | Readonly<Record<string, Row>>,
  bodyOf: (code: Code, message: string) => object,
): Examples {
  const examples: Record<string, ErrorExample> = {};
  for (const code of codes) {
    const rows = rowsOf(code);
    for (const [name, [summary, message, more]] of Object.entries(isRow(rows) ? { [code]: rows } : rows)) {
      examples[name] = { summary, value: { ...bodyOf(code, message), ...more } };
    }
  }
  return examples;
}
