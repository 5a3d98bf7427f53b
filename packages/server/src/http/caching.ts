/** How long others may keep a response. @see docs/contract.md §2.6 */

/** Nobody keeps it: tokens, settings, usage, errors. */
export const neverKept = ['Cache-Control', 'no-store'] as const;

/** Anybody keeps it for five minutes: what every client asks for, and what changes seldom. */
export const keptForFiveMinutes = ['Cache-Control', 'public, max-age=300'] as const;

/** For responses that tell changes: nothing on the way keeps, changes or collects them. */
export const streamingHeaders: readonly string[] = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];

/**
 * State belongs to the caller and may change at any moment: only the caller may cache it, and has to revalidate each time. A proxy that
 * compressed it would make its entity tag a weak one, which no write accepts.
 */
export const stateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin',
] as const;

/** Large states and long lists are sent in gzip to clients that accept it, under the entity tag that they have without: a cache keeps each coding. */
export const largeStateCachingHeaders = [
  'Cache-Control',
  'private, no-cache, no-transform',
  'Vary',
  'Authorization, Origin, Accept-Encoding',
] as const;
