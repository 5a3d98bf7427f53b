/**
 * Whether a player's tokens have ended: by a block, a deletion, or because somebody ended the sessions. Checked when a credential is looked
 * up, and remembered with it until the next end.
 *
 * @see docs/contract.md §7.8
 */
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import type { PlayerAccess, PlayerKey } from '../storage/contract/players.ts';
import type { Store } from '../storage/store.ts';
import type { PlayerPrincipal } from './principal.ts';
import type { ProjectCache } from './project-cache.ts';
import { epochOfToken } from './rules/token-age.ts';

export interface PlayerEndings {
  /** Whether a token has an earlier epoch than its player. */
  hasEnded(token: PlayerPrincipal): Awaitable<boolean>;
  /** Whether a player may have a token, and of which epoch. Asks the store only if the project has blocks or ended sessions. */
  accessOf(player: PlayerKey): Awaitable<PlayerAccess>;
}

/** How far apart the clocks of two nodes may be. A token younger than the last end by more needs no check. */
const skewMilliseconds = 5 * 60 * 1000;

/** Returns what says whether the tokens of players in `store` have ended. */
export function createPlayerEndings(
  store: Pick<Store, 'findPlayerAccess'>,
  projectCache: Pick<ProjectCache, 'findProject'>,
  now: () => number,
): PlayerEndings {
  return {
    hasEnded: (token) =>
      mapAwaitable(projectCache.findProject(token), (project): Awaitable<boolean> => {
        const last = project?.players.lastEndedAt ?? null;
        if (last === null || token.issuedAtMs > last + skewMilliseconds) return false;
        const { accountId, slug, environment, userId: playerId } = token;
        return mapAwaitable(
          store.findPlayerAccess({ accountId, slug, environment, playerId }, now()),
          ({ epoch }) => epochOfToken(token) < epoch,
        );
      }),
    accessOf: (player) =>
      mapAwaitable(projectCache.findProject(player), (project): Awaitable<PlayerAccess> => {
        const isQuiet = project !== undefined && project.players.lastEndedAt === null && !project.players.hasBlocks;
        return isQuiet ? { epoch: 0, isBlocked: false } : store.findPlayerAccess(player, now());
      }),
  };
}
