/** The address of the service and parameters of its paths, checked before anything is sent. */
import { HoldfastError } from './errors.ts';
import { runtime } from './runtime.ts';

/** The address of the service without a trailing slash. Throws `invalid_request` if invalid. */
export function baseUrlOf(given: unknown): string {
  // A page can leave out its own origin.
  const isAddress = typeof given === 'string' && (/^https?:\/\/[^/]/i.test(given) || runtime.location !== undefined);
  if (!isAddress)
    throw invalid(`baseUrl has to be the address of the service, as in https://state.example: it is ${given}`);
  return given.replace(/\/+$/, '');
}

/** The `fetch` to use. Throws `invalid_request` without one. */
export function fetchOf(given: typeof fetch | undefined): typeof fetch {
  const found = given ?? globalThis.fetch;
  if (typeof found !== 'function') throw invalid('this runtime has no fetch: give one as `fetch`');
  return found;
}

/** A path segment. Throws `invalid_request` for one that would change the path. */
export function segmentOf(name: string, given: unknown): string {
  const isSegment = typeof given === 'string' && !/^\.{0,2}$/.test(given);
  try {
    if (isSegment) return encodeURIComponent(given);
  } catch {
    // A lone surrogate cannot be encoded.
  }
  throw invalid(`${name} has to be a text that can stand in a path: it is ${JSON.stringify(given) ?? given}`);
}

/** The query of the given values, with its question mark. Some runtimes lack parts of URLSearchParams. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')}`;
}

let isCacheKnown: boolean | undefined;

/** Options of a request that caches on the way must not answer. Some runtimes refuse them. */
export function noStore(): RequestInit {
  if (isCacheKnown === undefined) {
    try {
      new Request('http://localhost/', { cache: 'no-store' });
      isCacheKnown = true;
    } catch {
      isCacheKnown = false;
    }
  }
  return isCacheKnown ? { cache: 'no-store' } : {};
}

/** The error of an invalid argument. */
export const invalid = (message: string, cause?: unknown): HoldfastError =>
  new HoldfastError('invalid_request', message, { cause });
