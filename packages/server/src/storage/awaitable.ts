/** Working with values that an embedded store gives at once and a remote one later. */

/** A value now, or later: an embedded engine answers reads at once, a remote one cannot. */
export type Awaitable<T> = T | Promise<T>;

/** Returns what `step` makes of the value: at once when it is here, else when it comes. */
export function whenHere<In, Out>(value: Awaitable<In>, step: (value: In) => Awaitable<Out>): Awaitable<Out> {
  return value instanceof Promise ? value.then(step) : step(value);
}
