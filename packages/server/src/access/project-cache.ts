/** Which accounts and projects exist. Nearly every request asks for this, so it is remembered. */

import { type Environment, environments } from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { anyProject } from '../storage/caches/access-changes.ts';
import { projectName } from '../storage/caches/record-names.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { PlayerRestrictions } from '../storage/contract/players.ts';
import type { Project, ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';
import { goodStanding, type Standing, standingOf } from './rules/account-status.ts';

/** Room for 50,000 accounts and projects, at about 550 bytes each. */
const bytesMax = 50_000 * 550;

/** What is remembered of a project, and of all its players together. */
export interface KnownProject extends Pick<Project, 'createdAt' | 'protectedEnvironments'> {
  /** The environments where proposals need approvals. */
  readonly approvedEnvironments: readonly Environment[];
  readonly players: PlayerRestrictions;
}

/** An account is remembered like a project without protected environments. */
interface Known extends KnownProject {
  readonly standing: Standing;
}

export interface ProjectCache {
  /** The operator's decisions about the account; undefined if there are none. */
  standingOf(accountId: string): Promise<Standing | undefined>;
  /** The project; undefined if there is none. Synchronous if it is remembered. */
  findProject(key: ProjectKey): Awaitable<KnownProject | undefined>;
}

/** Returns the accounts and projects in `store`. Their existence is remembered, their absence never. */
export function createProjectCache(
  store: Pick<Store, 'onAccessChange' | 'findAccount' | 'findProject' | 'readPlayerRestrictions'>,
  now: () => number,
): ProjectCache {
  const present = new AccessCache<Known>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  store.onAccessChange((change) => {
    if (change.kind === 'player') present.forget([change.accountId, change.slug ?? anyProject]);
  });
  const recall = (name: string, find: () => Promise<Known | undefined>) => present.get(name) ?? present.fill(name, find);
  const readAccount = async (accountId: string) => {
    const account = await store.findAccount(accountId);
    if (account === undefined) return undefined;
    const { createdAt } = account;
    return {
      createdAt,
      protectedEnvironments: none,
      approvedEnvironments: none,
      players: unrestricted,
      standing: standingOf(account),
    };
  };
  const readProject = async (key: ProjectKey) => {
    const [project, players] = await Promise.all([store.findProject(key), store.readPlayerRestrictions(key, now())]);
    if (project === undefined) return undefined;
    const { createdAt, protectedEnvironments, requiredApprovals } = project;
    const approved = environments.filter((one) => requiredApprovals[one] > 0);
    // Most projects share one empty list.
    return {
      createdAt,
      protectedEnvironments: protectedEnvironments.length === 0 ? none : protectedEnvironments,
      approvedEnvironments: approved.length === 0 ? none : approved,
      players: players.lastEndedAt === null && !players.hasBlocks ? unrestricted : players,
      standing: goodStanding,
    };
  };
  return {
    standingOf: async (accountId) => (await recall(accountId, () => readAccount(accountId)))?.standing,
    findProject: (key) => recall(projectName(key), () => readProject(key)),
  };
}

const none: readonly Environment[] = [];
const unrestricted: PlayerRestrictions = { lastEndedAt: null, hasBlocks: false };
