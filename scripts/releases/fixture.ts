/** What a fixture of a release says beside its databases. */

/** What the release answered to a read with an API key, or to a write that was repeated with its key. */
export interface HttpAnswer {
  /** The path, and the text of the API key. */
  readonly path: string;
  readonly key: string;
  /** The body of the write that was repeated. */
  readonly repeat?: unknown;
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

/** What the release answered to every question about its database. */
export interface Answers {
  readonly http: readonly HttpAnswer[];
  /** By question; bytes are in hexadecimal. */
  readonly store: Readonly<Record<string, unknown>>;
}

/** A value as JSON, with bytes in hexadecimal and what is undefined as null. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => {
    if (each instanceof Uint8Array) return Buffer.from(each).toString('hex');
    return each === undefined ? null : each;
  });
