/** Values that the embedded engine returns synchronously, and PostgreSQL as a promise. */

/**
 * A value, or a promise of one: the embedded engine answers reads synchronously, PostgreSQL cannot. An async function on the hot path takes it
 * by `x instanceof Promise ? await x : x`, since `await` would also give up the turn for a value; no function can do that for its caller.
 */
export type Awaitable<T> = T | Promise<T>;

/** Applies `step` to the value: synchronously if it is here, otherwise when it comes. */
export function mapAwaitable<In, Out>(value: Awaitable<In>, step: (value: In) => Awaitable<Out>): Awaitable<Out> {
  return value instanceof Promise ? value.then(step) : step(value);
}
