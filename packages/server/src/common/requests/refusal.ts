/**
 * How domain code refuses a request: one union of codes, with the public message and the internal cause in separate fields.
 */

import { type ErrorCode, statusOf } from '@holdfast/contract';
import { accountMessages } from '@holdfast/contract/messages';
import { quoted } from '../text/quoted.ts';

/** The content of `WWW-Authenticate` in a 401: a credential is needed, or why the one sent was rejected. */
export type Challenge =
  | { readonly kind: 'none' }
  /** `description` is a constant of this program, never text from the request: it is put into a header unescaped. */
  | { readonly kind: 'invalid_token'; readonly description: string };

export interface RefusalOptions {
  /** The internal cause: for the log, never for the client. */
  readonly cause?: unknown;
  /** Further members of the error body, such as `currentVersion`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Present in every 401. */
  readonly challenge?: Challenge;
  /** The response has no body. @see docs/contract.md §11.2 */
  readonly emptyBody?: true;
  /** When the request can be repeated; present in every 429. */
  readonly retryAfterSeconds?: number;
}

/**
 * A request that the domain refuses, with the code and message that its client sees.
 *
 * A refusal is a response and not a fault, so it captures no stack, which would be most of the work under a flood of bad requests.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly challenge: Challenge | undefined;
  readonly emptyBody: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    const framesMax = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = framesMax;
    this.code = code;
    this.details = options.details;
    this.challenge = options.challenge;
    this.emptyBody = options.emptyBody ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return statusOf(this.code);
  }
}

/** The refusal of a request that its principal may not make. */
export const forbidden = (message: string): Refusal => new Refusal('forbidden', message);

/** The refusal of every request for a suspended account. */
export const suspendedAccount = (): Refusal => forbidden(accountMessages.suspended);

/** The refusal of a request for a project that the account does not have, or no longer has. */
export const noProject = ({ slug }: { readonly slug: string }): Refusal =>
  new Refusal('not_found', `the account has no project ${quoted(slug)}`);

/** The refusal of a request for an account that does not exist, or no longer exists. */
export const noAccount = (accountId: string): Refusal =>
  new Refusal('not_found', `there is no account ${quoted(accountId)}`);

/** The refusal of a member of a body. */
export const invalidMember = (member: string, fault: string): Refusal =>
  new Refusal('validation_error', `"/${member}" ${fault}`);
