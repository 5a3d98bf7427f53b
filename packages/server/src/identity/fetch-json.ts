/** Fetches JSON documents of an identity provider, under bounds. */

const timeoutMilliseconds = 5_000;
const bytesMax = 1_048_576;

/** A document that could not be had; the cause stands beside it, unless it is a parser's, which quotes what was fetched. */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
}

/** Said in place of a parser's fault. */
export const notJson = 'the body is not JSON';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns the JSON document at `url`. Throws `FetchFault` when it is not there with status 200, complete within 5 s, in at
 * most 1 MiB. No redirect is followed: keys come from where the issuer said, or not at all.
 */
export async function fetchJson(url: string, fetch: Fetch): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json, application/jwk-set+json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new FetchFault(`status ${response.status}`);
    }
    return JSON.parse(await readBounded(response));
  } catch (cause) {
    throw new FetchFault(`cannot fetch ${url}: ${reasonOf(cause)}`, cause instanceof SyntaxError ? {} : { cause });
  }
}

/** Returns the body of a response as text; throws `FetchFault` when it has more than 1 MiB. */
export async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new FetchFault(`more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A failed connection says `fetch failed`, and why only in its cause. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault instanceof SyntaxError) return notJson;
  return fault.cause instanceof Error ? `${fault.message} (${fault.cause.message})` : fault.message;
}
