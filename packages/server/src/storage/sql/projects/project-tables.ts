/** The tables of projects, declared as in tables.ts. */
import { namedProjectFields } from '../../contract/projects.ts';
import { projectColumn } from '../../rows/project-rows.ts';
import type { SharedTable } from '../schema/declaration.ts';

/** The columns of fields that were added to projects. */
const addedProjectColumns: SharedTable['columns'] = Object.fromEntries(
  namedProjectFields.flatMap(([name, { column, since, isNullable, default: byDefault }]) => {
    if (since === undefined) return [];
    const stored = { since, type: 'text', default: String(projectColumn(name, byDefault)) } as const;
    return [[column, isNullable ? { since, type: 'text?' as const } : stored] as const];
  }),
);

/**
 * Records of a project carry its id, which is never used twice. Deleting the few rows that lead to a project therefore makes all of it
 * unreachable, regardless of its size. contract/projects.ts lists the columns of
 * its fields.
 */
export const projectTable = {
  title: 'projects',
  placement: 'reference',
  since: 1,
  columns: {
    project_id: 'generated',
    account_id: 'text',
    slug: 'text',
    name: 'text',
    created_at: 'integer',
    ...addedProjectColumns,
  },
  key: ['account_id', 'slug'],
  indexes: { projects_by_creation: '(account_id, created_at, slug)' },
  owner: 'account_id',
} as const satisfies SharedTable;

/** Left by deleted projects: where the versions of the next project with this name continue. */
export const versionFloors = {
  title: 'versions of deleted projects',
  placement: 'managed',
  since: 1,
  columns: {
    account_id: 'text',
    slug: 'text',
    environment: 'integer',
    version: 'integer',
    user_version: 'integer',
    schema_version: { since: 10, type: 'integer', default: 0 },
  },
  key: ['account_id', 'slug', 'environment'],
  owner: 'account_id',
} as const satisfies SharedTable;

/** Documents of public state whose oldest versions were dropped: `version` is the oldest stored one. */
export const historyStarts = {
  title: 'starts of histories',
  placement: 'managed',
  since: 15,
  columns: { account_id: 'text', slug: 'text', environment: 'integer', version: 'integer' },
  key: ['account_id', 'slug', 'environment'],
  owner: 'account_id',
  isOfProject: true,
} as const satisfies SharedTable;

/** At most 1,000 of a project. `position` orders keys created at the same time. `sealed_key` is null for secret keys. */
export const apiKeyTable = {
  title: 'API keys',
  placement: 'managed',
  since: 1,
  columns: {
    key_hash: 'bytes',
    key_id: 'text',
    account_id: 'text',
    slug: 'text',
    position: 'integer',
    name: 'text',
    start: 'text',
    kind: 'text',
    access: 'text',
    environments: 'text',
    created_at: 'integer',
    last_used_at: 'integer?',
    expires_at: 'integer?',
    requests_per_minute_max: { since: 17, type: 'integer?' },
    sealed_key: { since: 22, type: 'bytes?' },
  },
  key: ['key_hash'],
  indexes: { api_keys_by_project: '(account_id, slug)', api_keys_by_id: '(key_id)' },
  owner: 'account_id',
  isOfProject: true,
} as const satisfies SharedTable;

/** The sign-in settings of projects. */
export const playerAuthTable = {
  title: 'sign-in settings',
  placement: 'managed',
  since: 1,
  columns: { account_id: 'text', slug: 'text', settings: 'text' },
  key: ['account_id', 'slug'],
  owner: 'account_id',
  isOfProject: true,
} as const satisfies SharedTable;
