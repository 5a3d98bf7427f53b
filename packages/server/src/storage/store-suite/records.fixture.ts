/** Records for tests and measurements. Only this file fills in what a test does not care about. */
import { examples } from '@holdfast/contract/openapi';
import type { Account } from '../contract/accounts.ts';
import type { ApiKey } from '../contract/api-keys.ts';
import type { ChangedBy } from '../contract/audit.ts';
import { type Project, type ProjectChanges, projectDefaults } from '../contract/projects.ts';

/** The actor, where a test does not care. */
export const byOperator: ChangedBy = {
  actor: { kind: 'operator', id: 'operator', name: null },
  requestId: 'a-request',
  at: 1_000,
};

export const anAccount = ({ accountId = 'acc_1', ...change }: Partial<Account> = {}): Account => ({
  accountId,
  name: 'An account',
  idpTenantId: `tenant-${accountId}`,
  createdAt: 1_000,
  requireSecondFactor: false,
  suspendedAt: null,
  signedOutAt: null,
  ...change,
});

/** A project; members of `change` that a project does not have are dropped. */
export const aProject = (change: Partial<Project> = {}): Project => {
  const project: Project = { ...projectDefaults, accountId: 'acc_1', slug: 'p', name: 'A project', createdAt: 2_000 };
  const known = Object.entries(change).filter(([name, value]) => Object.hasOwn(project, name) && value !== undefined);
  return Object.assign(project, Object.fromEntries(known));
};

/** The contract's example of a change, which has everything that can be changed. */
const changed = examples.UpdateProjectBody;

/** A change of everything in a project, and one that mostly reverts it, for tests of the store and of copies. */
export const projectChanges: readonly Required<ProjectChanges>[] = [
  {
    ...projectDefaults,
    ...changed,
    name: `it's "another" \\ name \u2028 \u{1f600}`,
    protectedEnvironments: ['production', 'staging'],
    requiredApprovals: { development: 0, staging: 1, production: 5 },
  },
  { ...projectDefaults, name: 'A third name' },
];

export const anApiKey = (change: Partial<ApiKey> = {}): ApiKey => ({
  accountId: 'acc_1',
  slug: 'p',
  keyId: 'key_1',
  name: 'A key',
  start: 'svck_abcd',
  kind: 'secret',
  access: 'write',
  environments: ['development', 'staging', 'production'],
  createdAt: 3_000,
  lastUsedAt: null,
  expiresAt: null,
  requestsPerMinute: null,
  ...change,
});
