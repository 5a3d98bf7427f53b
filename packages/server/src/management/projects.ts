/** Projects of an account. */
import {
  environments as allEnvironments,
  type CreateProjectBody,
  type ProjectBody,
  type UpdateProjectBody,
} from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { noAccount, noProject, Refusal } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import { quotaReached } from '../limits/quota-refusal.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { Page, PageRequest } from '../storage/contract/pages.ts';
import {
  changedProject,
  deletionObstacle,
  type Project,
  type ProjectChanges,
  type ProjectKey,
  projectDefaults,
} from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';

/**
 * Creates a project and returns it; the name defaults to the slug. Throws `already_exists`, `not_found` if the account does not exist, or a
 * `QuotaRefusal`.
 */
export async function createProject(
  store: Pick<Store, 'createProject'>,
  by: ChangedBy,
  accountId: string,
  body: CreateProjectBody,
): Promise<ProjectBody> {
  const { slug } = body;
  const unchanged: Project = { accountId, slug, createdAt: by.at, ...projectDefaults, name: slug };
  const project = changedProject(unchanged, await changesIn('CreateProjectBody', body));
  const outcome = await store.createProject(by, project);
  if (outcome === 'already_exists') throw new Refusal('already_exists', `the project ${slug} already exists`);
  if (outcome === 'no_account') throw noAccount(accountId);
  if (typeof outcome === 'object') throw quotaReached(outcome);
  return projectBody(project);
}

/** Returns the project, or throws `not_found`. */
export async function readProject(store: Pick<Store, 'findProject'>, key: ProjectKey): Promise<ProjectBody> {
  return projectBody(found(await store.findProject(key), key));
}

/** Returns a page of projects, newest first. */
export async function listProjects(
  store: Pick<Store, 'listProjects'>,
  accountId: string,
  page: PageRequest,
): Promise<Page<ProjectBody>> {
  const { items, next } = await store.listProjects(accountId, page);
  return { items: items.map(projectBody), next };
}

/**
 * Changes the project and returns it. Throws `not_found`, `forbidden` for a service account that would change what is protected and for
 * fewer required approvals unless the caller is an owner, and `upgrade_unfinished` while older nodes would not enforce the change.
 */
export async function updateProject(
  store: Pick<Store, 'updateProject' | 'isUpgradeFinished'>,
  by: ChangedBy,
  key: ProjectKey,
  body: UpdateProjectBody,
  isOwner: boolean,
): Promise<ProjectBody> {
  const changes = await changesIn('UpdateProjectBody', body);
  const { protectedEnvironments: named, flagsCheck, requiredApprovals } = changes;
  if (named !== undefined && by.actor.kind === 'service_account') {
    throw new Refusal('forbidden', 'service accounts cannot change which environments are protected: sign in');
  }
  if (named !== undefined && named.length > 0) await requireFinishedUpgrade(store, 'protectedEnvironments');
  if (requiredApprovals !== undefined) await requireFinishedUpgrade(store, 'proposals');
  if (flagsCheck === 'enforce') await requireFinishedUpgrade(store, 'flagsCheck');
  const project = await store.updateProject(by, key, changes, isOwner);
  if (project === 'may_not_lower')
    throw new Refusal('forbidden', 'only an owner can lower the number of required approvals');
  return projectBody(found(project, key));
}

const deletionRefusals = {
  needs_approvals: 'only an owner can delete a project that requires approvals',
  is_protected: 'no service account deletes a project with protected environments: sign in',
} as const;

/**
 * Deletes the project with its state, keys and players. Throws `not_found`, and `forbidden` for a service account if something is
 * protected, or for all but owners if something needs approvals. The step that deletes decides. If the project came to be protected while
 * players were being forgotten, those are listed again once they sign in.
 */
export async function deleteProject(
  store: Pick<Store, 'deleteProject' | 'findProject' | 'forgetProjectPlayers' | 'listWebhooks' | 'clearWebhookDeliveries'>,
  by: ChangedBy,
  key: ProjectKey,
  isOwner: boolean,
): Promise<void> {
  const rights = { withApprovals: isOwner, withProtection: by.actor.kind !== 'service_account' };
  // Before anything is forgotten.
  const obstacle = deletionObstacle(found(await store.findProject(key), key), rights);
  if (obstacle !== undefined) throw new Refusal('forbidden', deletionRefusals[obstacle]);
  // In slices, since there may be many; the deletion itself is one step.
  while ((await store.forgetProjectPlayers(key)) > 0);
  for (const webhook of (await store.listWebhooks(key)) ?? []) while (await store.clearWebhookDeliveries(webhook));
  const outcome = await store.deleteProject(by, key, rights);
  if (outcome === 'absent') throw noProject(key);
  if (outcome !== 'deleted') throw new Refusal('forbidden', deletionRefusals[outcome]);
}

type ProjectBodyName = 'CreateProjectBody' | 'UpdateProjectBody';

/** Returns the fields that a body sets, as they are stored: without unknown members, environments in their order. */
async function changesIn(kind: ProjectBodyName, body: UpdateProjectBody): Promise<ProjectChanges> {
  // Only those who create or change projects need the schemas.
  const { components } = await import('@holdfast/contract/schemas');
  const isSettable = (name: string) => name !== 'slug' && Object.hasOwn(components[kind].properties, name);
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => isSettable(name)));
  const {
    protectedEnvironments: named,
    publicStateHistory: history,
    requiredApprovals: approvals,
  }: UpdateProjectBody = given;
  const orderly: ProjectChanges = {
    ...(named && { protectedEnvironments: allEnvironments.filter((one) => named.includes(one)) }),
    ...(history && { publicStateHistory: { versions: history.versions, days: history.days } }),
    ...(approvals && {
      requiredApprovals: Object.fromEntries(
        allEnvironments.flatMap((one) => (approvals[one] === undefined ? [] : [[one, approvals[one]]])),
      ),
    }),
  };
  return { ...given, ...orderly };
}

function projectBody({ createdAt, protectedEnvironments, ...others }: Project): ProjectBody {
  return {
    ...others,
    createdAt: formatTime(createdAt),
    protectedEnvironments: [...protectedEnvironments],
    requiredApprovals: { ...others.requiredApprovals },
  };
}

function found(project: Project | undefined, key: ProjectKey): Project {
  if (project === undefined) throw noProject(key);
  return project;
}
