/** Caching of responses. @see docs/contract.md §2.6 */

/** Not cached: tokens, settings, usage, errors. */
export const neverKept = ['Cache-Control', 'no-store'] as const;

/** Cached by anybody for five minutes: responses that every client requests, and that rarely change. */
export const keptForFiveMinutes = ['Cache-Control', 'public, max-age=300'] as const;

/** For responses that report changes: intermediaries do not cache, change or buffer them. */
export const streamingHeaders: readonly string[] = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];

/**
 * State belongs to the caller and may change at any moment: only the caller may cache it, and must revalidate it each time. A proxy that
 * compressed it would make its entity tag weak, and writes do not accept weak tags.
 */
export const stateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin',
] as const;

/** Large states and long lists are sent in gzip to clients that accept it, with the same entity tag: a cache keeps each coding. */
export const largeStateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin, Accept-Encoding',
] as const;
