/** Working with values that an embedded store gives at once and a remote one later. */

/** A value now, or later: an embedded engine answers reads at once, a remote one cannot. */
export type Awaitable<T> = T | Promise<T>;

/** Applies `step` to the value: at once if the value is here, otherwise when it comes. */
export function mapAwaitable<In, Out>(value: Awaitable<In>, step: (value: In) => Awaitable<Out>): Awaitable<Out> {
  return value instanceof Promise ? value.then(step) : step(value);
}
