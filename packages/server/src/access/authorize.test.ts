import type { CredentialKind, Environment, Power } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../common/requests/refusal.ts';
import { aProject, byOperator } from '../storage/store-suite/records.fixture.ts';
import { type Authorizer, createAuthorizer } from './authorize.ts';
import type { ApiKeyPrincipal, DeveloperPrincipal, PlayerPrincipal, Principal } from './principal.ts';
import { createProjectCache } from './project-cache.ts';
import { addAccount, addProject, openStoreFixture, type StoreFixture } from './store.fixture.ts';

let fixture: StoreFixture;
let authorizer: Authorizer;
let projectLookUps = 0;

beforeAll(async () => {
  fixture = await openStoreFixture();
  const { store } = fixture;
  for (const accountId of ['acc_mine', 'acc_other']) {
    await addAccount(store, accountId);
    await addProject(store, accountId, 'hello');
  }
  const projectCache = createProjectCache(
    {
      onAccessChange: (listener) => store.onAccessChange(listener),
      findAccount: (accountId) => store.findAccount(accountId),
      findProject: (key) => {
        projectLookUps++;
        return store.findProject(key);
      },
      readPlayerRestrictions: (key, now) => store.readPlayerRestrictions(key, now),
    },
    () => 1_000,
  );
  authorizer = createAuthorizer(projectCache);
});
afterAll(() => fixture.dispose());

const credential = { credentialId: 'c', expiresAtMs: Number.POSITIVE_INFINITY, accountId: 'acc_mine' };
const developer: DeveloperPrincipal = {
  kind: 'developer',
  ...credential,
  subject: 'dev',
  actsAs: 'member',
  role: 'owner',
  environments: null,
  memberId: 'mem_1',
  name: 'Dev',
};
const player: PlayerPrincipal = {
  kind: 'end_user',
  ...credential,
  slug: 'hello',
  environment: 'staging',
  userId: 'u',
  isGuest: false,
  issuedAtMs: 1_000_000,
  epoch: 0,
  signedInAtMs: undefined,
  playerMark: 'u',
};
const apiKey: ApiKeyPrincipal = {
  kind: 'api_key',
  ...credential,
  keyId: 'key_1',
  slug: 'hello',
  name: 'a key',
  start: 'svck_1234',
  keyKind: 'secret',
  access: 'write',
  environments: ['development', 'staging'],
  protectedEnvironments: [],
  approvedEnvironments: [],
  createdAt: 1,
  expiresAt: null,
  requestsPerMinute: null,
};
const publishableKey: ApiKeyPrincipal = { ...apiKey, keyKind: 'publishable', access: 'read' };
const anyKind: readonly CredentialKind[] = ['developer', 'end_user', 'api_key'];

interface Asked {
  principal: Principal;
  account?: string;
  slug?: string;
  environment?: Environment | undefined;
  needs?: Power;
  accepted?: readonly CredentialKind[];
  publishable?: boolean;
}

/** The status of what was asked, and whether its body is empty. */
async function answerTo(asked: Asked): Promise<string> {
  const {
    principal,
    account = 'acc_mine',
    slug = 'hello',
    needs = 'read',
    accepted = anyKind,
    publishable = false,
  } = asked;
  const environment = 'environment' in asked ? asked.environment : 'staging';
  try {
    const key = { accountId: account, slug };
    await authorizer.authorizeProject(principal, { accepted, key, environment, needs, publishable });
    return '200';
  } catch (error) {
    if (error instanceof Refusal) return `${error.status}${error.emptyBody ? ' empty' : ''}`;
    throw error;
  }
}

describe('a project', () => {
  it.each<[string, Asked, string]>([
    ['a developer: own project', { principal: developer, needs: 'write_state' }, '200'],
    ['a developer: without an environment', { principal: developer, environment: undefined }, '200'],
    ['a developer: unknown project in the own account', { principal: developer, slug: 'none' }, '404'],
    ['a developer: account of someone else', { principal: developer, account: 'acc_other' }, '403'],
    [
      'a developer: unknown project in the account of someone else',
      { principal: developer, account: 'acc_other', slug: 'none' },
      '403',
    ],
    ['a developer: unknown account', { principal: developer, account: 'acc_none' }, '404'],
    ['a developer: route for players only', { principal: developer, accepted: ['end_user'] }, '403'],
    [
      'a developer: unknown project, route for players only',
      { principal: developer, slug: 'x', accepted: ['end_user'] },
      '403',
    ],

    ['a player: own project', { principal: player, needs: 'write_state' }, '200'],
    ['a player: another environment', { principal: player, environment: 'production' }, '403'],
    ['a player: another project', { principal: player, slug: 'none' }, '403'],
    ['a player: another account', { principal: player, account: 'acc_other' }, '403'],
    ['a player: unknown account', { principal: player, account: 'acc_none' }, '403'],
    ['a player: project deleted since', { principal: { ...player, slug: 'gone' }, slug: 'gone' }, '404'],
    ['a player: route for developers only', { principal: player, accepted: ['developer', 'api_key'] }, '403'],

    ['a key: own project', { principal: apiKey, needs: 'write_state' }, '200'],
    ['a key: another project', { principal: apiKey, slug: 'other' }, '403 empty'],
    ['a key: another account', { principal: apiKey, account: 'acc_other' }, '403 empty'],
    ['a key: unknown account', { principal: apiKey, account: 'acc_none' }, '403 empty'],
    [
      'a key: another project, environment not allowed',
      { principal: apiKey, slug: 'other', environment: 'production' },
      '403 empty',
    ],
    ['a key: environment not allowed', { principal: apiKey, environment: 'production' }, '403'],
    ['a read-only key: reading', { principal: { ...apiKey, access: 'read' } }, '200'],
    ['a read-only key: writing', { principal: { ...apiKey, access: 'read' }, needs: 'write_state' }, '403'],
    ['a publishable key: public route', { principal: publishableKey, publishable: true }, '200'],
    ['a publishable key: other route', { principal: publishableKey }, '403'],
    [
      'a publishable key: environment not allowed',
      { principal: publishableKey, publishable: true, environment: 'production' },
      '403',
    ],
    [
      'a publishable key: another project, public route',
      { principal: publishableKey, slug: 'other', publishable: true },
      '403 empty',
    ],
    ['a publishable key: another project, other route', { principal: publishableKey, slug: 'other' }, '403 empty'],
    ['a key: route for developers only', { principal: apiKey, accepted: ['developer'] }, '403'],
  ])('%s', async (_, asked, answer) => {
    expect(await answerTo(asked)).toBe(answer);
  });

  it('created again rejects the tokens of its predecessor', async () => {
    const { store } = fixture;
    const key = await addProject(store, 'acc_mine', 'again');
    const asked = (issuedAtMs: number) => answerTo({ principal: { ...player, slug: 'again', issuedAtMs }, slug: 'again' });
    expect(await asked(5_000)).toBe('200');
    await store.deleteProject(byOperator, key);
    await store.createProject(byOperator, aProject({ ...key, name: 'again', createdAt: 9_876 }));
    expect(await asked(5_000)).toBe('401');
    expect(await asked(8_000)).toBe('401');
    expect(await asked(9_000)).toBe('200'); // token times are in whole seconds
    expect(await asked(10_000)).toBe('200');
  });

  it('is looked up once, then served from memory until it is deleted', async () => {
    const { store } = fixture;
    const key = await addProject(store, 'acc_mine', 'short-lived');
    const request = { accepted: anyKind, key, environment: undefined, needs: 'read', publishable: false } as const;
    projectLookUps = 0;
    await authorizer.authorizeProject(developer, request);
    expect(authorizer.authorizeProject(developer, request)).not.toBeInstanceOf(Promise);
    expect(projectLookUps).toBe(1);
    await store.deleteProject(byOperator, key);
    expect(await answerTo({ principal: developer, slug: key.slug })).toBe('404');
  });

  it('of one account does not affect another account', async () => {
    await addProject(fixture.store, 'acc_other', 'theirs');
    const other = { ...developer, accountId: 'acc_other' };
    expect(await answerTo({ principal: other, account: 'acc_other', slug: 'theirs' })).toBe('200');
    expect(await answerTo({ principal: developer, slug: 'theirs' })).toBe('404');
  });

  it('is found as soon as it is created', async () => {
    expect(await answerTo({ principal: developer, slug: 'late' })).toBe('404');
    await addProject(fixture.store, 'acc_mine', 'late');
    expect(await answerTo({ principal: developer, slug: 'late' })).toBe('200');
  });
});

describe('an account', () => {
  const statusOf = async (principal: Principal, accepted: readonly CredentialKind[], accountId: string) => {
    try {
      await authorizer.authorizeAccount(principal, { accepted, needs: 'read' }, accountId);
      return 200;
    } catch (error) {
      return error instanceof Refusal ? error.status : error;
    }
  };

  it.each<[string, Principal, string, number]>([
    ['a developer: own account', developer, 'acc_mine', 200],
    ['a developer: account of someone else', developer, 'acc_other', 403],
    ['a developer: unknown account', developer, 'acc_none', 404],
    ['a player: own account', player, 'acc_mine', 403],
    ['a key: own account', apiKey, 'acc_mine', 403],
  ])('%s', async (_, principal, accountId, status) => {
    expect(await statusOf(principal, ['developer'], accountId)).toBe(status);
    if (principal.kind !== 'developer') expect(await statusOf(principal, anyKind, accountId)).toBe(status);
  });
});

describe('a role', () => {
  const refusalOf = async (given: Partial<DeveloperPrincipal>, needs: Power, environment?: Environment) => {
    const request = {
      accepted: anyKind,
      key: { accountId: 'acc_mine', slug: 'hello' },
      environment,
      needs,
      publishable: false,
    };
    try {
      await authorizer.authorizeProject({ ...developer, ...given }, request);
      return 'reaches';
    } catch (error) {
      return error instanceof Refusal ? `${error.code}: ${error.message}` : error;
    }
  };

  it.each<[Partial<DeveloperPrincipal>, Power, Environment | undefined, string]>([
    [{ role: 'viewer' }, 'write_state', 'staging', 'forbidden: the role viewer does not allow this'],
    [{ role: 'server' }, 'read', 'staging', 'forbidden: the role server does not allow this'],
    [{ role: 'admin' }, 'own', undefined, 'forbidden: the role admin does not allow this'],
    [{ role: 'editor', environments: ['staging'] }, 'write_state', 'staging', 'reaches'],
    [{ role: 'editor', environments: ['staging'] }, 'read', 'production', 'reaches'],
    [
      { role: 'editor', environments: ['staging'] },
      'write_state',
      'production',
      'forbidden: the role editor was not given for the environment production',
    ],
    [
      { role: 'support', environments: ['staging'] },
      'support_players',
      undefined,
      'forbidden: this affects all environments, and the role support was given for only some of them',
    ],
    [{ role: 'admin', environments: ['staging'] }, 'write_state', 'staging', 'reaches'],
    [
      { role: 'admin', environments: ['staging'] },
      'write_state',
      'production',
      'forbidden: the role admin was not given for the environment production',
    ],
    ...(['manage', 'manage_access', 'write_schemas'] as const).map(
      (power): [Partial<DeveloperPrincipal>, Power, Environment | undefined, string] => [
        { role: 'admin', environments: ['staging'] },
        power,
        power === 'write_schemas' ? 'staging' : undefined,
        'forbidden: this affects all environments, and the role admin was given for only some of them',
      ],
    ),
    [{ role: 'admin', environments: ['staging'] }, 'read_settings', undefined, 'reaches'],
    [{ role: 'admin', environments: ['staging'] }, 'read_access', undefined, 'reaches'],
    [{ role: 'support', environments: ['staging'] }, 'self', undefined, 'reaches'],
    [{ role: 'editor', environments: [] }, 'write_state', 'staging', expect.stringMatching(/^forbidden/)],
    [{ actsAs: 'operator', memberId: null }, 'own', undefined, 'reaches'],
    [{ actsAs: 'service_account', role: 'admin' }, 'manage', undefined, 'reaches'],
    [
      { actsAs: 'service_account', role: 'admin' },
      'manage_access',
      undefined,
      'forbidden: service accounts cannot use this route: sign in',
    ],
  ])('%j with %s in %s', async (given, needs, environment, outcome) => {
    expect(await refusalOf(given, needs, environment)).toEqual(outcome);
  });
});

describe('a protected environment', () => {
  const guarded = 'protected';
  beforeAll(async () => {
    const key = await addProject(fixture.store, 'acc_mine', guarded);
    await fixture.store.updateProject(byOperator, key, { protectedEnvironments: ['production'] });
  });

  const outcomeOf = async (principal: Principal, environment: Environment, needs: Power) => {
    const key = { accountId: 'acc_mine', slug: guarded };
    try {
      return await authorizer.authorizeProject(principal, {
        accepted: anyKind,
        key,
        environment,
        needs,
        publishable: false,
      });
    } catch (error) {
      return error instanceof Refusal ? `${error.status}: ${error.message}` : error;
    }
  };
  const robot = (given: Partial<DeveloperPrincipal>) => ({ ...developer, actsAs: 'service_account' as const, ...given });
  const everywhere: ApiKeyPrincipal = {
    ...apiKey,
    slug: guarded,
    environments: ['development', 'staging', 'production'],
    protectedEnvironments: ['production'],
  };

  it.each<[string, Principal, Environment, Power, unknown]>([
    ['an owner', developer, 'production', 'write_state', true],
    ['an admin', { ...developer, role: 'admin' }, 'production', 'write_state', true],
    ['the operator', { ...developer, actsAs: 'operator', memberId: null }, 'production', 'write_state', true],
    ['an editor', { ...developer, role: 'editor' }, 'production', 'write_state', /^403.*production is protected.*editor/],
    ['an editor in another environment', { ...developer, role: 'editor' }, 'staging', 'write_state', false],
    ['an editor reading', { ...developer, role: 'editor' }, 'production', 'read', false],
    ['an editor writing player saves', { ...developer, role: 'editor' }, 'production', 'write_saves', false],
    ['a key', everywhere, 'production', 'write_state', /^403.*production is protected/],
    ['a key reading', everywhere, 'production', 'read', false],
    ['a key in another environment', everywhere, 'staging', 'write_state', false],
    [
      'a service account for this environment',
      robot({ role: 'editor', environments: ['production'] }),
      'production',
      'write_state',
      true,
    ],
    [
      'an admin service account for this environment',
      robot({ role: 'admin', environments: ['production'] }),
      'production',
      'write_state',
      true,
    ],
    [
      'a service account for every environment',
      robot({ role: 'editor' }),
      'production',
      'write_state',
      /^403.*production is protected.*name it/,
    ],
    [
      'an admin service account for every environment',
      robot({ role: 'admin' }),
      'production',
      'write_state',
      /^403.*name it/,
    ],
    [
      'a service account with another role',
      robot({ role: 'server', environments: ['production'] }),
      'production',
      'write_state',
      /^403/,
    ],
    ['a service account for every environment, in another one', robot({ role: 'editor' }), 'staging', 'write_state', false],
  ])('%s', async (_, principal, environment, needs, outcome) => {
    const seen = await outcomeOf(principal, environment, needs);
    expect(seen).toEqual(outcome instanceof RegExp ? expect.stringMatching(outcome) : outcome);
  });
});
