/** Parameters of OAuth requests, in a query or a form body. @see RFC 6749 §3.1, §3.2 and appendix B */

export interface Parameters {
  /** The value of a parameter; undefined when it is absent or empty, which mean the same. */
  get(name: string): string | undefined;
  /** Names that appear more than once, which is not allowed. `get` returns their first value. */
  readonly repeated: ReadonlySet<string>;
}

/** Returns the parameters in a form-encoded text. */
export function readParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name) || undefined, repeated };
}
