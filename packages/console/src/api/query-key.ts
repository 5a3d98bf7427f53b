/** Keys of queries, for reading and for reading again. */
import type { CallId, CallOptions } from '@holdfast/contract/call';

type ParamsOf<Id extends CallId> = CallOptions<Id> extends { readonly params: infer Params } ? Partial<Params> : undefined;

/**
 * Returns the key of what an operation reads with these parameters. Invalidated, it means every query of the operation whose parameters
 * agree, also those that have more of them, or a `rest`.
 */
export const keyOf = <Id extends CallId>(id: Id, params: ParamsOf<Id>, ...rest: readonly (string | number | undefined)[]) =>
  [id, params, ...rest] as const;
