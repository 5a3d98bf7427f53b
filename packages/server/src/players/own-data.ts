/**
 * What people take away or delete of their player on the page *Your sign-in*: as far as a token of production reaches.
 *
 * @see docs/contract.md §6.5
 */
import type { ChangedBy } from '../storage/audit-store.ts';
import type { PlayerLinkStore } from '../storage/player-link-store.ts';
import type { PlayerStore } from '../storage/player-store.ts';
import type { ProjectKey } from '../storage/store.ts';
import { type ErasureStore, eraseFrom } from './erasure.ts';
import { type ExportOptions, exportPieces } from './export.ts';

export interface OwnDataOptions extends ExportOptions {
  readonly store: ExportOptions['store'] &
    ErasureStore &
    Pick<PlayerStore, 'findPlayer'> &
    Pick<PlayerLinkStore, 'findLinkedPlayer'>;
  readonly now: () => number;
}

/** The data of the player whom a subject of the account signs in. */
export interface OwnData {
  /** The pieces of the export of a project, as JSON text. Throws `StoreUnavailable`. */
  export(project: ProjectKey, subject: string): Promise<AsyncIterable<string>>;
  /** Deletes what a project has of the player, and ends the player's tokens there. Throws `StoreUnavailable`. */
  erase(by: ChangedBy, project: ProjectKey, subject: string): Promise<void>;
}

/** Returns what reads and deletes the data of players. */
export function createOwnData(options: OwnDataOptions): OwnData {
  const { store, now } = options;
  const playerOf = async ({ accountId }: ProjectKey, subject: string) =>
    (await store.findLinkedPlayer(accountId, subject)) ?? subject;
  return {
    async export(project, subject) {
      const endUserId = await playerOf(project, subject);
      const found = await store.findPlayer(project, endUserId, now());
      return exportPieces(options, project, found ?? { endUserId, identities: [], states: [], block: null });
    },
    async erase(by, project, subject) {
      const endUserId = await playerOf(project, subject);
      const actor = { kind: 'end_user', id: endUserId, name: null } as const;
      await eraseFrom(store, { ...by, actor }, { ...project, environment: null }, endUserId);
    },
  };
}
