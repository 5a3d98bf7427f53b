/**
 * For game servers: writes saves with a service account, and verifies player tokens.
 *
 * @packageDocumentation
 */

import type { Change, UpdateOptions } from './documents/document.ts';
import { createPublicState, type PublicState } from './documents/public-state.ts';
import type { UserRecord } from './documents/records.ts';
import { createSharedState } from './documents/shared-state.ts';
import type { UserState } from './documents/user-state.ts';
import { HoldfastError } from './errors.ts';
import type { StandardSchema } from './schema.ts';
import { type ServiceAccountOptions, serviceAccountAuth } from './server/service-account.ts';
import { createVerifier, type Player, type VerifyOptions } from './server/verify.ts';
import { baseUrlOf, fetchOf, segmentOf } from './service.ts';
import { createTransport } from './transport.ts';
import type { PublicInput, PublicOf, Schemas, Types, UserInput, UserOf } from './types.ts';

export type { ServiceAccountOptions } from './server/service-account.ts';
export type { Player, VerifyOptions } from './server/verify.ts';

/** Options of {@link createServer}. */
export interface ServerOptions<T extends Types = Types, I extends Types = Types> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** Without it, the server can only verify players. */
  readonly serviceAccount?: ServiceAccountOptions;
  /** Check documents when they are read and before they are written. */
  readonly schema?: Schemas<T, I>;
  /** The issuer in tokens (`SVC_BASE_URL`), if this server reaches the service at another address. */
  readonly issuer?: string;
  /** Timeout of each call; 30 seconds unless given here or in the call. */
  readonly timeoutMs?: number;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options of {@link PlayerSave.update}. */
export interface SaveUpdateOptions<State> extends UpdateOptions<State> {
  /** Shown in the history of the save. */
  readonly comment?: string | undefined;
}

/** A player's save. */
export interface PlayerSave<State, Input = State> extends Pick<UserState<State, Input>, 'get'> {
  /** As {@link PublicState.update}: if the player or another server was faster, `change` runs again on the newest save. */
  update(change: Change<State>, options?: SaveUpdateOptions<Input>): Promise<UserRecord<State>>;
}

/** What {@link createServer} returns. */
export interface Server<T extends Types = Types, I extends Types = Types> {
  /** Returns the player of an access token. Rejects with `unauthorized` for anything but a valid player token of the project. */
  verifyPlayer(token: string, options?: VerifyOptions): Promise<Player>;
  /** Returns a player's save. Writes count once, and merge with those of the player. */
  save(playerId: string): PlayerSave<UserOf<T>, UserInput<T, I>>;
  readonly publicState: PublicState<PublicOf<T>, PublicInput<T, I>>;
}

/** A document whose type does not matter here. */
type Any = Record<string, unknown>;

/** A client for servers. Throws `invalid_request` when an option is missing. It sends nothing before the first call. */
export function createServer<T extends Types = Types, I extends Types = Types>(options: ServerOptions<T, I>): Server<T, I>;
export function createServer(options: ServerOptions): Server {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const fetch = fetchOf(options.fetch);
  const { accountId, project, environment, timeoutMs } = options;
  const env = segmentOf('environment', environment);
  const path = `/v1/${segmentOf('accountId', accountId)}/projects/${segmentOf('project', project)}`;
  const schema = (options.schema ?? {}) as { readonly [Name in keyof Types]?: StandardSchema<Any> };
  const auth = serviceAccountAuth(options.serviceAccount, baseUrl, fetch);
  const common = { auth, send: createTransport({ baseUrl, auth, fetch }), timeoutMs };
  return {
    verifyPlayer: createVerifier({
      baseUrl,
      issuer: options.issuer ?? baseUrl,
      accountId,
      project,
      environment,
      path,
      fetch,
    }),
    save(playerId) {
      if (playerId.trim() === '') throw new HoldfastError('invalid_request', 'the id of a player is empty');
      const place = `${path}/user-states/${env}/${segmentOf('playerId', playerId)}`;
      return createSharedState<Any, UserRecord<Any>>({ ...common, path: place, schema: schema.userState });
    },
    publicState: createPublicState({ ...common, path: `${path}/public-state/${env}`, schema: schema.publicState }),
  };
}
