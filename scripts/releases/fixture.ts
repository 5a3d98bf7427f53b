/** The data of a release's fixture besides its databases. */

/** The release's response to a read with an API key, or to a write repeated with its idempotency key. */
export interface HttpAnswer {
  /** The path, and the text of the API key. */
  readonly path: string;
  readonly key: string;
  /** The body of the repeated write. */
  readonly repeat?: unknown;
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

/** The release's answers to every question about its database. */
export interface Answers {
  readonly http: readonly HttpAnswer[];
  /** By question; bytes are in hexadecimal. */
  readonly store: Readonly<Record<string, unknown>>;
}

/** A value as JSON, with bytes in hexadecimal and undefined as null. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => {
    if (each instanceof Uint8Array) return Buffer.from(each).toString('hex');
    return each === undefined ? null : each;
  });
