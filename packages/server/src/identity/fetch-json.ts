/** Fetches JSON documents of an identity provider, within bounds. */
import { type Fetch, FetchFault } from '../outbound/fetch.ts';

const timeoutMilliseconds = 5_000;
/** Key sets and metadata take some kilobytes. Parsing and copying a whole MiB would block the event loop for 20 ms and more. */
const bytesMax = 262_144;

/** Replaces the message of a parser. */
export const notJson = 'the body is not JSON';

/**
 * Returns the JSON document at `url`. Throws `FetchFault` unless it arrives with status 200, complete within 5 s, and in at most 256 KiB.
 * Redirects are not followed: keys come only from the address that the issuer named.
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

/** Returns the body of a response as text; throws `FetchFault` if it exceeds 256 KiB. */
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

/** The message of a failed connection is `fetch failed`; only its cause says why. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault instanceof SyntaxError) return notJson;
  return fault.cause instanceof Error ? `${fault.message} (${fault.cause.message})` : fault.message;
}
