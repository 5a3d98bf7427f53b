/** Types of an operation's input and output, derived from the entry of the operation. */
import type Type from 'typebox';
import type { Environment } from './identifiers.ts';
import type { OperationId, operations } from './operations.ts';
import type { ComponentName, components } from './schemas.ts';

type Operations = typeof operations;

/** The operations that programs call, without pages and browser redirects. */
export type CallId = {
  [Id in OperationId]: Operations[Id] extends { page: true } | { isUndescribed: true } | { success: { 303: unknown } }
    ? never
    : Id;
}[OperationId];

/** Method and path of an operation, and whether its body is a form. */
export type RouteOf<Id extends CallId> =
  `${Operations[Id]['method']} ${Operations[Id]['path']}${Operations[Id] extends FormBody ? ' form' : ''}`;

type FormBody = { body: { mediaType: 'application/x-www-form-urlencoded' } };
type RecordOf<Name extends ComponentName> = Type.Static<(typeof components)[Name]>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValueOf<Name extends string> = Name extends 'env' ? Environment : Name extends 'version' ? number : string;
type ParamsOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: { readonly [Name in NamesIn<Path>]: ValueOf<Name> } };

type QueryValue<Parameter> = Parameter extends { type: 'integer' | 'version' | 'wait' }
  ? number
  : Parameter extends { type: 'boolean' }
    ? boolean
    : string;
type RequiredIn<Query> = { [Name in keyof Query]: Query[Name] extends { required: true } ? Name : never }[keyof Query];
/** A parameter that is null or undefined is left out. */
type QueryMembers<Query> = { readonly [Name in RequiredIn<Query>]: QueryValue<Query[Name]> } & {
  readonly [Name in Exclude<keyof Query, RequiredIn<Query>>]?: QueryValue<Query[Name]> | null | undefined;
};
type QueryOf<Operation> = Operation extends { query: infer Query }
  ? [RequiredIn<Query>] extends [never]
    ? { readonly query?: QueryMembers<Query> }
    : { readonly query: QueryMembers<Query> }
  : unknown;

type BodyOf<Operation> = Operation extends { body: { schema: infer Name extends ComponentName } }
  ? {
      readonly body:
        | RecordOf<Name>
        | (Operation extends { precondition: true } | { body: { asSent: number } }
            ? /** JSON, whose numbers keep their digits. */ string
            : never);
    }
  : unknown;

type PreconditionOf<Operation> = Operation extends { precondition: true }
  ? {
      /** The version that the write replaces; null if none may exist. @see docs/contract.md §4.3 */
      readonly ifVersion: number | null;
    }
  : unknown;

type RepeatOf<Operation> = Operation extends { repeatable: true | 'refresh' }
  ? {
      /** Makes repeated requests count as one write. @see docs/contract.md §4.8 */
      readonly idempotencyKey?: string;
    }
  : unknown;

type KnownOf<Operation> = Operation extends { success: { 304: { entityTag: true } } }
  ? {
      /** The known version. If it is still current, the response is empty. */
      readonly knownVersion?: number | undefined;
    }
  : unknown;

/** The input of an operation. */
export type CallOptions<Id extends CallId> = ParamsOf<Operations[Id]['path']> &
  QueryOf<Operations[Id]> &
  BodyOf<Operations[Id]> &
  PreconditionOf<Operations[Id]> &
  RepeatOf<Operations[Id]> &
  KnownOf<Operations[Id]> & { readonly signal?: AbortSignal | undefined };

/** The body of a response with a status; undefined if it has none. */
export type ContentOf<Success> = Success extends { schema: infer Name extends ComponentName }
  ? Success extends { array: true }
    ? RecordOf<Name>[]
    : RecordOf<Name>
  : Success extends { mediaType: string }
    ? unknown
    : undefined;

/** The record in the response of an operation; undefined if a response may have none. */
export type CallResult<Id extends CallId> = {
  [Status in keyof Operations[Id]['success']]: ContentOf<Operations[Id]['success'][Status]>;
}[keyof Operations[Id]['success']];
