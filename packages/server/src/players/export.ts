/** All data of a player, piece by piece: saves can be large. */
import { type Environment, environments } from '@holdfast/contract';
import type { PlayerRecord } from '../storage/player-store.ts';
import type { ProjectKey } from '../storage/store.ts';
import type { UserStateStore } from '../storage/user-state-store.ts';
import { methodBodies } from './methods.ts';

/** Yields the JSON text of an export of some environments. Throws `StoreUnavailable`. */
export async function* exportPieces(
  store: Pick<UserStateStore, 'readUserState'>,
  key: ProjectKey,
  { endUserId, identities }: PlayerRecord,
  of: readonly Environment[] = environments,
): AsyncGenerator<string, void, undefined> {
  const head = { userId: endUserId, methods: methodBodies(key.accountId, identities) };
  yield `${JSON.stringify(head).slice(0, -1)},"environments":{`;
  let separator = '';
  for (const environment of of) {
    const found = await store.readUserState({ ...key, environment, endUserId });
    if (found.kind !== 'present') continue;
    const { version, stateText } = found.record;
    yield `${separator}"${environment}":{"version":${version},"state":${stateText},"versions":[]}`;
    separator = ',';
  }
  yield '}}';
}
