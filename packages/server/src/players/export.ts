/** Exports all data of a player, piece by piece, since user states may be large. */
import { type Environment, environments } from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { formatTime } from '../common/requests/time.ts';
import type { PlayerRecord } from '../storage/contract/players.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { UserState, UserStateKey, VersionRetention } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import { methodBodies } from './sign-in-methods.ts';

export interface ExportOptions {
  readonly store: Pick<Store, 'readUserState' | 'listUserStateVersions'>;
  /** The user-state versions that a project currently keeps. */
  readonly retention: (key: ProjectKey) => Awaitable<VersionRetention>;
}

/** Characters of state in memory at one time. */
const portionCharacters = 262_144;

/** Yields the JSON text of an export of the given environments. Throws `StoreUnavailable`. */
export async function* exportPieces(
  options: ExportOptions,
  key: ProjectKey,
  { playerId, identities }: PlayerRecord,
  of: readonly Environment[] = environments,
): AsyncGenerator<string, void, undefined> {
  const head = { userId: playerId, methods: methodBodies(key.accountId, identities) };
  yield `${JSON.stringify(head).slice(0, -1)},"environments":{`;
  let separator = '';
  for (const environment of of) {
    const found = await options.store.readUserState({ ...key, environment, playerId });
    if (found.kind !== 'present') continue;
    const { version, stateText } = found.record;
    yield `${separator}"${environment}":{"version":${version},"state":${stateText},"versions":[`;
    yield* versionPieces(options, { ...key, environment, playerId }, version);
    yield ']}';
    separator = ',';
  }
  yield '}}';
}

/** Yields the versions before the given one, newest first. */
async function* versionPieces(
  { store, retention }: ExportOptions,
  key: UserStateKey,
  current: number,
): AsyncGenerator<string, void, undefined> {
  const portion = { charactersMax: portionCharacters, retention: await retention(key) };
  let separator = '';
  for (let before = current; ; ) {
    const found = await store.listUserStateVersions(key, { ...portion, before });
    const last = found.kind === 'versions' ? found.versions.at(-1) : undefined;
    if (found.kind !== 'versions' || last === undefined) return;
    yield separator + found.versions.map(versionText).join(',');
    separator = ',';
    before = last.version;
  }
}

const versionText = ({ version, stateText, updatedAt, comment }: UserState): string =>
  `{"version":${version},"state":${stateText},"updatedAt":"${formatTime(updatedAt)}","comment":${JSON.stringify(comment)}}`;
