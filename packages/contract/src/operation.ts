/** What an operation is, and what all of them have in common. */
import type { AuditAction } from './audit.ts';
import type { ErrorCode, QuotaCode } from './errors.ts';
import type { Power } from './roles.ts';
import type { ComponentName } from './schemas.ts';

/** The kinds of credential that a route can accept. None accepted means that the route is anonymous. */
export type CredentialKind = 'developer' | 'end_user' | 'api_key';

export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export type MediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'text/event-stream'
  | 'text/html'
  | 'text/plain'
  | '*/*';

export interface SuccessResponse {
  readonly description: string;
  /** Name of the schema of the body; `array` says that the body is a JSON array of such records. Absent: no body. */
  readonly schema?: ComponentName;
  readonly array?: true;
  /** Whether the same is sent as server-sent events to a client that accepts `text/event-stream`. */
  readonly events?: true;
  /** Whether all items of the list are sent, a line of JSON each, to a client that accepts `application/x-ndjson`. */
  readonly lines?: true;
  /** Media type of a body without a schema, such as a page. */
  readonly mediaType?: MediaType;
  /** Whether the response carries the entity tag of the record. */
  readonly entityTag?: true;
  /** Whether the response carries a nonce for guests. */
  readonly nonce?: true;
}

export interface QueryParameter {
  readonly description: string;
  /** A `string` has at least one character, a `text` may be empty. */
  readonly type: 'integer' | 'boolean' | 'string' | 'text' | 'cursor' | 'version' | 'wait';
  /** Bounds of an integer that is refused outside them. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: true;
  readonly example?: string;
}

/** Who may call an operation. One that takes developers says which power they need there. */
type Access =
  | { readonly access: readonly ['developer', ...CredentialKind[]]; readonly needs: Power }
  | { readonly access: readonly Exclude<CredentialKind, 'developer'>[]; readonly needs?: never };

export type Operation = Access & OperationParts;

interface OperationParts {
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /** What it does, and what a caller has to know, in Markdown. Pages have none. */
  readonly description?: string;
  /** Whether a publishable API key reaches it too. Such an operation changes nothing, whatever its method. @see docs/contract.md §3.5 */
  readonly publishable?: true;
  /** Whether a publishable API key may stand in its query, for clients that cannot send headers. @see docs/contract.md §3.5 */
  readonly keyInQuery?: true;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** A page for people: its responses are always HTML, and it is not part of the described interface. */
  readonly page?: true;
  /** The console and the pages of the documentation, which are not part of the described interface. */
  readonly isUndescribed?: true;
  /** The last parameter of the path is all that follows, slashes included. */
  readonly hasRest?: true;
  /** Whether the request carries `If-Match` or `If-None-Match: *`. @see docs/contract.md §4.3 */
  readonly precondition?: true;
  /** Whether the response may last: it tells changes as they happen. @see docs/contract.md §4.9 */
  readonly watches?: true;
  /** Whether the request may carry an `Idempotency-Key`: a write (§4.8), or a refresh (§7.6). @see docs/contract.md */
  readonly repeatable?: true | 'refresh';
  /** Whether it counts something for the address of its client. */
  readonly namesClient?: true;
  /** The action that the audit trail records for it, in the transaction of what it changes. @see docs/contract.md §8.10 */
  readonly audit?: AuditAction;
  /** Whether the request is counted once it is known what for, instead of for the address that it comes from. */
  readonly countsLate?: true;
  readonly body?: {
    readonly mediaType: MediaType;
    readonly schema: ComponentName;
    /** Most bytes of a body that the handler gets as it came, to have it parsed on another thread. */
    readonly asSent?: number;
    /** Whether a body without `Content-Type` is taken for one of the media type. */
    readonly untyped?: true;
  };
  readonly success: Readonly<Record<number, SuccessResponse>>;
  /** Codes of the envelope, without those that every route can give (`transportCodes`). */
  readonly codes: readonly ErrorCode[];
  /** Quotas that refuse it. It counts in the requests of the month exactly if `QUOTA_API_REQUESTS` is one of them. */
  readonly quotaCodes?: readonly QuotaCode[];
  /** Statuses whose body is something else than the envelope: empty, the errors of RFC 6749, those of OFREP, or a page. */
  readonly otherErrors?: Readonly<Record<number, 'empty' | 'token' | 'flag' | 'page'>>;
}

export const tags = {
  'Public state': 'One JSON document for each environment of a project, with every version kept.',
  'Feature flags': 'Public state in the format of flagd, evaluated for OpenFeature clients.',
  Schemas: 'JSON Schema that public state and user state have to fit.',
  'User state': "An end user's own JSON object.",
  'End users': "The developer's view of end-user state.",
  Players: 'Who plays a project: search, help, blocks, deletion.',
  'Sign-in': 'OAuth 2.0 authorization code with PKCE, refresh rotation, logout.',
  Accounts: 'The account of a developer.',
  Team: 'The members of an account, their roles, and invitations.',
  Identity: 'The users of an account, and the identity providers that they may come through.',
  'Service accounts': 'Identities for builds, deployments and servers, which sign in with a secret.',
  Projects: 'Projects, their settings and their API keys.',
  Service: 'Health, keys and descriptions of the service itself.',
} as const;
export type Tag = keyof typeof tags;
