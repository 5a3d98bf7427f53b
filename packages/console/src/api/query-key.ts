/** Keys of queries, for reading and invalidating. */
import type { CallId, CallOptions } from '@holdfast/contract/call';

type ParamsOf<Id extends CallId> = CallOptions<Id> extends { readonly params: infer Params } ? Partial<Params> : undefined;

/**
 * Returns the query key of an operation with these parameters. Invalidating it affects every query of the operation with equal parameters,
 * including those with further ones or a `rest`.
 */
export const keyOf = <Id extends CallId>(id: Id, params: ParamsOf<Id>, ...rest: readonly (string | number | undefined)[]) =>
  [id, params, ...rest] as const;
