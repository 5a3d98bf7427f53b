/** What the parts of the service are made of. The rooms of this folder are the composition root beside main.ts. */
import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';
import type { Store } from '../storage/store.ts';

export interface Wiring {
  readonly store: Store;
  readonly config: Config;
  readonly log: Log;
  readonly secretKey: Uint8Array;
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Where the login page lies, below `/authorize`. */
export const authFrontUrl = ({ config, baseUrl }: Wiring): string => config.authFrontUrl ?? baseUrl();
