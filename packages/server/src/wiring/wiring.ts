/** What most parts of the service need. This folder and main.ts are the composition root. */
import type { Sealer } from '../common/secrets/sealer.ts';
import type { Config } from '../config/config.ts';
import type { Handlers } from '../http/operation-request.ts';
import type { Argon2id } from '../identity/built-in/passwords/password-hash.ts';
import type { Log } from '../observe/log.ts';
import type { Observation } from '../observe/observation.ts';
import { createEpochSealer } from '../secrets/sealer.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';
import type { Store } from '../storage/store.ts';
import type { Disposal } from './disposal.ts';

export interface Wiring {
  readonly store: Store;
  readonly config: Config;
  /** Whether other nodes may use the same store. */
  readonly isShared: boolean;
  readonly log: Log;
  readonly observation: Observation;
  /** Each part registers here how to close what it has opened. */
  readonly disposal: Disposal;
  readonly secretKeys: SecretKeys;
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  /** The address of the login page, without `/authorize`. */
  readonly authFrontUrl: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Hashes passwords in place of argon2id. */
  readonly argon2id?: Argon2id | undefined;
}

/** Returns a sealer for one purpose. What it has sealed no longer opens after the store went back. */
export const sealerOf = ({ secretKeys, store }: Pick<Wiring, 'secretKeys' | 'store'>, purpose: string): Sealer =>
  createEpochSealer(secretKeys, purpose, () => store.marks().recoveredAt);

/** State shared by a service and its requests. */
export interface ServiceLifetime {
  isStarting: boolean;
  isStopping: boolean;
  requestsUnderWay: number;
}

/** What a part of the service gives. */
export interface Part {
  readonly handlers?: Handlers;
  /** Begins its work at set times. Called once the service listens. */
  start?(): void;
}
