/** Where the service is and what a client asks of it, checked before anything is sent. */
import { HoldfastError } from './errors.ts';
import { runtime } from './runtime.ts';

/** The address of the service without a slash at its end. Throws `invalid_request` if invalid. */
export function baseUrlOf(given: unknown): string {
  // A page can leave out the address that it comes from itself.
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

/** A segment of a path. Throws `invalid_request` for what would name another path. */
export function segmentOf(name: string, given: unknown): string {
  const isSegment = typeof given === 'string' && !/^\.{0,2}$/.test(given);
  try {
    if (isSegment) return encodeURIComponent(given);
  } catch {
    // A lone surrogate cannot be encoded.
  }
  throw invalid(`${name} has to be a text that can stand in a path: it is ${JSON.stringify(given) ?? given}`);
}

/** The query of a path, with its question mark, of what is given. Some runtimes lack parts of URLSearchParams. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`).join('&')}`;
}

let isCacheKnown: boolean | undefined;

/** Options of a request that no cache between here and there answers. Some runtimes refuse requests with such an option. */
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

/** A failure of what the application has given. */
export const invalid = (message: string, cause?: unknown): HoldfastError =>
  new HoldfastError('invalid_request', message, { cause });
