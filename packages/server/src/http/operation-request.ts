/** Input of handlers: a request that has passed every check before its operation. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ComponentName, CredentialKind, OperationId, operations } from '@holdfast/contract';
import type { CallId, ContentOf } from '@holdfast/contract/call';
import type { Principal } from '../access/principal.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import type { DeferredCount } from '../limits/deferred-count.ts';
import type { Precondition } from '../state/documents/precondition.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { PathParameters, PathParametersOf } from './path-parameters.ts';
import type { Caller } from './replies/caller.ts';
import type { AsText, ErrorReply, Reply } from './replies/reply.ts';
import type { RecordOf } from './wire/record-body.ts';

type Operations = typeof operations;

/**
 * Reads the body of an operation that takes a form. Rejects with `unsupported_media_type`, `payload_too_large`, `request_timeout` or
 * `validation_error`.
 */
type ReadForm = () => Promise<URLSearchParams>;

/** Input of every operation. */
interface AnyRequest {
  readonly headers: IncomingHttpHeaders;
  /** The part after the `?`, or the empty string. */
  readonly query: string;
}

/** Input of an operation that replies with a page, or counts something per client address. */
export interface PageRequest extends AnyRequest {
  /** The name under which the client's address is counted. */
  readonly clientName: string;
}

/** Input of a page with a form. */
export interface FormPageRequest extends PageRequest {
  readonly readForm: ReadForm;
}

type PageOf<Operation> = Operation extends { page: true } | { namesClient: true } ? PageRequest : AnyRequest;

/** The type of the request's principal; anonymous operations do not get one. */
type PrincipalOf<Access extends readonly CredentialKind[]> = [Access[number]] extends [never]
  ? unknown
  : { readonly principal: Extract<Principal, { kind: Access[number] }> };

type PreconditionOf<Operation> = Operation extends { precondition: true }
  ? { readonly precondition: Precondition }
  : unknown;

type ProtectionOf<Operation> = Operation extends { needs: 'write_state' | 'write_schemas' | 'propose' }
  ? /** Whether the environment is protected, so that the write needs a comment. */ { readonly isProtected: boolean }
  : unknown;

type RepeatOf<Operation> = Operation extends { repeatable: true }
  ? /** Given when the client may send the write again. */ { readonly idempotencyKey: string | undefined }
  : unknown;

type ByOf<Operation> = Operation extends { audit: string }
  ? /** Who changes something, for the audit trail. */ { readonly by: () => ChangedBy }
  : unknown;

type CountOf<Operation> = Operation extends { countsLate: true } ? { readonly count: DeferredCount } : unknown;

type CallerOf<Operation> = Operation extends { watches: true } | { body: { asSent: number } }
  ? { readonly caller: Caller }
  : unknown;

/** The body bytes as received. They are parsed when that does not delay other requests. */
interface BodyAsSent {
  readonly bodyBytes: Uint8Array;
}

type BodyOf<Operation> = Operation extends {
  body: { mediaType: 'application/json'; schema: infer Name extends ComponentName };
}
  ? Operation extends { precondition: true } | { body: { asSent: number } }
    ? BodyAsSent
    : { readonly body: RecordOf<Name> }
  : Operation extends { body: { mediaType: 'application/x-www-form-urlencoded' } } | { page: true; method: 'POST' }
    ? { readonly readForm: ReadForm }
    : unknown;

/** Input of an operation's handler, determined by its entry in the contract. */
export type OperationRequest<Id extends OperationId> = {
  readonly params: PathParametersOf<Operations[Id]['path']>;
} & PageOf<Operations[Id]> &
  PrincipalOf<Operations[Id]['access']> &
  PreconditionOf<Operations[Id]> &
  ProtectionOf<Operations[Id]> &
  RepeatOf<Operations[Id]> &
  ByOf<Operations[Id]> &
  CountOf<Operations[Id]> &
  CallerOf<Operations[Id]> &
  BodyOf<Operations[Id]>;

/** The union of all operations' input. The pipeline fills in the parts that the entry requires. */
export interface CheckedRequest extends AnyRequest {
  readonly params: PathParameters | undefined;
  readonly principal: Principal | undefined;
  readonly isProtected: boolean;
  readonly precondition: Precondition | undefined;
  readonly idempotencyKey: string | undefined;
  readonly by: (() => ChangedBy) | undefined;
  readonly body: unknown;
  readonly bodyBytes: Uint8Array | undefined;
  readonly readForm: ReadForm | undefined;
  readonly clientName: string | undefined;
  readonly count: DeferredCount | undefined;
  readonly caller: Caller | undefined;
}

type ReadonlyOf<Value> = Value extends object ? { readonly [Name in keyof Value]: ReadonlyOf<Value[Name]> } : Value;

/** An operation's replies with one status: the record of the contract, or text made from it. */
type ReplyOfStatus<Status, Success> = Status extends number
  ? Reply<Status, ReadonlyOf<ContentOf<Success>> | AsText>
  : never;

/** An operation's replies other than errors: the statuses and records in its contract entry. */
type ReplyTo<Id extends OperationId> = Id extends CallId
  ? {
      [Status in keyof Operations[Id]['success']]: ReplyOfStatus<Status, Operations[Id]['success'][Status]>;
    }[keyof Operations[Id]['success']]
  : Reply;

export type Handler<Id extends OperationId> = (request: OperationRequest<Id>) => Awaitable<ReplyTo<Id> | ErrorReply>;
export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };
/** One handler for each of these operations. */
export type HandlersOf<Ids extends OperationId> = { readonly [Id in Ids]: Handler<Id> };
