/** Connections to identity providers as this process remembers them: for ten minutes, and only so many. */
import { LRUCache } from 'lru-cache';

const ageMillisecondsMax = 10 * 60_000;
/** How soon a provider that could not be reached is tried again. */
const failurePauseMilliseconds = 1_000;
const rememberedMax = 200;

export interface Remembered<Connection> {
  /** Returns the connection of this key, made by `connect` unless it is remembered. Callers that come at once share it. */
  get(key: string, connect: () => Promise<Connection>): Promise<Connection>;
}

/** Returns an empty memory. `now` gives milliseconds since the epoch. */
export function rememberConnections<Connection>(now: () => number): Remembered<Connection> {
  const known = new LRUCache<string, { readonly connecting: Promise<Connection>; until: number }>({ max: rememberedMax });
  return {
    get(key, connect) {
      const present = known.get(key);
      if (present !== undefined && now() < present.until) return present.connecting;
      const entry = { connecting: connect(), until: now() + ageMillisecondsMax };
      known.set(key, entry);
      entry.connecting.catch(() => {
        entry.until = now() + failurePauseMilliseconds;
      });
      return entry.connecting;
    },
  };
}
