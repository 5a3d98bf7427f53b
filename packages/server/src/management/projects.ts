/** Projects of an account. */
import type { ProjectBody } from '@holdfast/contract';
import { quotaReached } from '../common/quota-refusal.ts';
import { quoted, Refusal } from '../common/refusal.ts';
import type { Project, ProjectKey, Store } from '../storage/store.ts';
import { bodyReader } from './body.ts';
import { type PageBody, pageBody, parsePageRequest } from './page.ts';
import { formatTime } from './time.ts';

const readCreation = bodyReader('CreateProjectBody');
const readRename = bodyReader('RenameBody');

/**
 * Makes a project and returns it. `body` is `{slug, name?}`; the name is the slug when none is given. Throws
 * `validation_error`, `already_exists`, `not_found` when the account is gone, or a `QuotaRefusal`.
 */
export async function createProject(
  store: Pick<Store, 'createProject'>,
  accountId: string,
  body: unknown,
  nowMs: number,
): Promise<ProjectBody> {
  const { slug, name = slug } = await readCreation(body);
  return makeProject(store, { accountId, slug, name, createdAt: nowMs });
}

/** Makes a project of members that are known to be valid. Throws as `createProject` does. */
export async function makeProject(store: Pick<Store, 'createProject'>, project: Project): Promise<ProjectBody> {
  const { accountId, slug } = project;
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

/** Returns the page of projects that `query` asks for, newest first; throws `validation_error` for a malformed query. */
export async function listProjects(
  store: Pick<Store, 'listProjects'>,
  accountId: string,
  query: URLSearchParams,
): Promise<PageBody<ProjectBody>> {
  const scope = `projects of ${accountId}`;
  return pageBody(await store.listProjects(accountId, parsePageRequest(query, scope)), scope, projectBody);
}

/** Renames the project and returns it. `body` is `{name}`; throws `validation_error` or `not_found`. */
export async function renameProject(
  store: Pick<Store, 'renameProject'>,
  key: ProjectKey,
  body: unknown,
): Promise<ProjectBody> {
  const { name } = await readRename(body);
  return projectBody(found(await store.renameProject(key, name), key));
}

/** Deletes the project with its state, keys and end users, or throws `not_found`. */
export async function deleteProject(store: Pick<Store, 'deleteProject'>, key: ProjectKey): Promise<void> {
  if ((await store.deleteProject(key)) === 'absent') throw noProject(key);
}

function projectBody({ accountId, slug, name, createdAt }: Project): ProjectBody {
  return { accountId, slug, name, createdAt: formatTime(createdAt) };
}

function found(project: Project | undefined, key: ProjectKey): Project {
  if (project === undefined) throw noProject(key);
  return project;
}

/** The refusal of everything about a project that does not exist. */
export function noProject({ slug }: ProjectKey): Refusal {
  return new Refusal('not_found', `the account has no project ${quoted(slug)}`);
}
