/** The type of an operation, and values shared by all operations. */
import type { AuditAction } from './audit.ts';
import type { ErrorCode, QuotaCode } from './errors.ts';
import type { Power } from './roles.ts';
import type { ComponentName } from './schemas.ts';

/** The kinds of credential that a route can accept. A route that accepts none is anonymous. */
export type CredentialKind = 'developer' | 'end_user' | 'api_key';

export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export type MediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'text/event-stream'
  | 'text/html'
  | 'text/javascript'
  | 'text/plain'
  | '*/*';

export interface SuccessResponse {
  readonly description: string;
  /** Schema name of the body; `array` means a JSON array of such records. Absent: no body. */
  readonly schema?: ComponentName;
  readonly array?: true;
  /** Whether the record is sent as server-sent events to clients that accept `text/event-stream`. */
  readonly events?: true;
  /** Whether the whole list is sent as JSON lines to clients that accept `application/x-ndjson`. */
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
  /** Bounds of an integer. Values outside are refused. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: true;
  readonly example?: string;
}

/** Who may call an operation. For developers, with the required power. */
type Access =
  | { readonly access: readonly ['developer', ...CredentialKind[]]; readonly needs: Power }
  | { readonly access: readonly Exclude<CredentialKind, 'developer'>[]; readonly needs?: never };

export type Operation = Access & OperationParts;

interface OperationParts {
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /** What it does and what callers must know, in Markdown. Pages have no description. */
  readonly description?: string;
  /** Whether publishable API keys may call it too. Such an operation changes nothing, whatever its method. @see docs/contract.md §3.5 */
  readonly publishable?: true;
  /** Whether the query may contain a publishable API key, for clients that cannot send headers. @see docs/contract.md §3.5 */
  readonly keyInQuery?: true;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Whether it is a page for people. Its responses are always HTML, and the described interface does not include it. */
  readonly page?: true;
  /** Whether it belongs to the console, the documentation or the client's file, which the described interface does not include. */
  readonly isUndescribed?: true;
  /** Whether any origin may read it, whatever `SVC_CORS_ORIGINS` says: a public file, the same for everybody. */
  readonly anyOrigin?: true;
  /** Whether the last path parameter takes the rest of the path, slashes included. */
  readonly hasRest?: true;
  /** Whether the request has `If-Match` or `If-None-Match: *`. @see docs/contract.md §4.3 */
  readonly precondition?: true;
  /** Whether it writes public state without a proposal, and is refused where approvals are required. @see docs/contract.md §5.7 */
  readonly writesDirectly?: true;
  /** Whether the response may stay open and report changes as they happen. @see docs/contract.md §4.9 */
  readonly watches?: true;
  /** Whether the request may have an `Idempotency-Key`: a write (§4.8), or a refresh (§7.6). @see docs/contract.md */
  readonly repeatable?: true | 'refresh';
  /** Whether it counts towards a limit of the client address. */
  readonly namesClient?: true;
  /** The action in the audit trail, recorded in the same transaction as the change. @see docs/contract.md §8.10 */
  readonly audit?: AuditAction;
  /** Whether the request is counted once its subject is known, instead of by client address. */
  readonly countsLate?: true;
  readonly body?: {
    readonly mediaType: MediaType;
    readonly schema: ComponentName;
    /** Largest body, in bytes, that the handler gets unparsed, to parse it on another thread. */
    readonly asSent?: number;
    /** Whether a body without `Content-Type` is treated as having the media type. */
    readonly untyped?: true;
  };
  readonly success: Readonly<Record<number, SuccessResponse>>;
  /** Codes of the envelope, without those of every route (`transportCodes`). */
  readonly codes: readonly ErrorCode[];
  /** Quotas that can refuse it. It counts towards the monthly requests only if `QUOTA_API_REQUESTS` is listed. */
  readonly quotaCodes?: readonly QuotaCode[];
  /** Statuses with another body than the envelope: empty, errors of RFC 6749 or OFREP, or a page. */
  readonly otherErrors?: Readonly<Record<number, 'empty' | 'token' | 'flag' | 'page'>>;
}

export const tags = {
  'Public state': 'One JSON document for each environment of a project, with every version kept.',
  Proposals: 'Changes to public state for others to approve, merged when they are applied.',
  'Feature flags': 'Public state in the format of flagd, evaluated for OpenFeature clients.',
  Schemas: 'JSON Schema for public state and user state.',
  'User state': "An end user's own JSON object.",
  'End users': "The developer's view of end-user state.",
  Players: 'The players of a project: search, support, blocks, deletion.',
  'Sign-in': 'OAuth 2.0 authorization code with PKCE, refresh rotation, logout.',
  Accounts: 'The account of a developer.',
  Team: 'The members of an account, their roles, and invitations.',
  Identity: 'The users of an account, and its identity providers.',
  'Service accounts': 'Identities for builds, deployments and servers, which sign in with a secret.',
  Projects: 'Projects, their settings and their API keys.',
  Webhooks: 'Signed HTTP requests about what happens in a project.',
  Service: 'Health, keys and descriptions of the service itself.',
} as const;
export type Tag = keyof typeof tags;
