/** Projects of an account. */
import type { CreateProjectBody, ProjectBody } from '@holdfast/contract';
import { quotaReached } from '../common/quota-refusal.ts';
import { quoted, Refusal } from '../common/refusal.ts';
import { formatTime } from '../common/time.ts';
import type { NewProject, Page, PageRequest, Project, ProjectKey, Store } from '../storage/store.ts';

/**
 * Makes a project and returns it; the name is the slug when none is given. Throws `already_exists`, `not_found` when the
 * account is gone, or a `QuotaRefusal`.
 */
export async function createProject(
  store: Pick<Store, 'createProject'>,
  accountId: string,
  { slug, name = slug }: CreateProjectBody,
  nowMs: number,
): Promise<ProjectBody> {
  const project: NewProject = { accountId, slug, name, createdAt: nowMs };
  const outcome = await store.createProject(project);
  if (outcome === 'already_exists') throw new Refusal('already_exists', `the project ${slug} exists already`);
  if (outcome === 'no_account') throw new Refusal('not_found', `there is no account ${quoted(accountId)}`);
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

/** Renames the project and returns it, or throws `not_found`. */
export async function renameProject(
  store: Pick<Store, 'updateProject'>,
  key: ProjectKey,
  { name }: { readonly name: string },
): Promise<ProjectBody> {
  return projectBody(found(await store.updateProject(key, { name }), key));
}

/** Deletes the project with its state, keys and end users, or throws `not_found`. */
export async function deleteProject(store: Pick<Store, 'deleteProject'>, key: ProjectKey): Promise<void> {
  if ((await store.deleteProject(key)) === 'absent') throw noProject(key);
}

function projectBody({ accountId, slug, name, createdAt }: NewProject): ProjectBody {
  return { accountId, slug, name, createdAt: formatTime(createdAt) };
}

function found(project: Project | undefined, key: ProjectKey): Project {
  if (project === undefined) throw noProject(key);
  return project;
}

/** The refusal for a project that does not exist. */
export function noProject({ slug }: ProjectKey): Refusal {
  return new Refusal('not_found', `the account has no project ${quoted(slug)}`);
}
