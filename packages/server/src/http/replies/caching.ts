/** Caching of responses. @see docs/contract.md §2.6 */

/** Not cached: tokens, settings, errors, usage, which changes all the time, and records that name people or keys. */
export const neverKept = ['Cache-Control', 'no-store'] as const;

/** Cached publicly for five minutes: responses that every client requests and that rarely change. */
export const keptForFiveMinutes = ['Cache-Control', 'public, max-age=300'] as const;

/** Cached for ever: files whose names change with their content. */
export const keptForEver = ['Cache-Control', 'public, max-age=31536000, immutable'] as const;

/** For responses that report changes: intermediaries must not cache, change or buffer them. */
export const streamingHeaders: readonly string[] = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];

/**
 * State belongs to the caller and may change at any time: only the caller may cache it, and must always revalidate it. Compression by a
 * proxy would weaken its entity tag, which writes do not accept.
 */
export const stateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin',
] as const;

/** Large states and long lists are gzipped for clients that accept it. Both codings share an entity tag, and caches store each coding. */
export const largeStateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin, Accept-Encoding',
] as const;
