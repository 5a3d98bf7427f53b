/** Every kind of credential, and every event that ends or narrows its authority. */
import { randomUUID } from 'node:crypto';
import { type CredentialKind, type MemberRole, type Operation, reachOf, yieldsToProtection } from '@holdfast/contract';
import { expect } from 'vitest';
import { developerClientId } from '../../packages/server/src/common/ids/client-id.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { newMember } from '../support/members.ts';
import { type Ground, playerId } from './authority-ground.ts';

/** The server's clock, in milliseconds. */
export const clock = { at: Date.now() };

/** A credential and the values that identify it. */
interface Made {
  readonly authorization: string;
  readonly id: string;
  /** Parameters that identify its client in a revocation. */
  readonly client?: Readonly<Record<string, string>>;
  readonly sessionId?: string;
}

/** An event that ends or narrows the authority of a credential, and the operations that it takes away. */
interface Ender {
  readonly name: string;
  readonly end: (ground: Ground, credential: Made) => Promise<unknown>;
  /** Default: all. */
  readonly takes?: (operation: Operation) => boolean;
  /** The role of the credential. Default: the most powerful one. */
  readonly role?: MemberRole;
}

export interface Kind {
  readonly name: string;
  readonly kind: CredentialKind;
  readonly make: (ground: Ground, role?: MemberRole) => Promise<Made>;
  readonly enders: readonly Ender[];
  /** Operations that the credential reaches, of those that accept its kind. Default: all. */
  readonly takes?: (operation: Operation) => boolean;
  /** Precondition, if its player has no user state. */
  readonly condition?: Readonly<Record<string, string>>;
}

const seconds = 900;
const by = () => ({ ...byOperator, at: clock.at });
const account = ({ accountId }: Ground) => `/v1/${accountId}`;
const takenFrom = (authority: Parameters<typeof reachOf>[0]) => (operation: Operation) =>
  reachOf(authority, operation.needs ?? 'read', operation.path.includes('{env}') ? 'development' : undefined) !== 'reaches';

async function postForm({ server }: Ground, path: string, form: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await server.call('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.text === '' ? undefined : answer.json;
}

const suspension: Ender = {
  name: 'a suspension',
  end: ({ server, accountId }) => server.running.store.suspendAccount(by(), accountId, clock.at),
};
const accountGone: Ender = {
  name: 'the deletion of the account',
  end: (ground) => ground.send('DELETE', account(ground)),
};
const projectGone: Ender = {
  name: 'the deletion of the project',
  end: ({ send, project }) => send('DELETE', project.path),
  takes: ({ path }) => path.includes('{slug}'),
};
const expiry: Ender = {
  name: 'its own expiry',
  end: async () => {
    clock.at += (seconds + 1) * 1_000;
  },
};
const everything = [suspension, accountGone, projectGone, expiry];

const protection: Ender = {
  name: 'a protected environment',
  end: ({ send, project }) => send('PATCH', project.path, { protectedEnvironments: ['development'] }),
  // Service accounts may still propose there.
  takes: ({ needs, path }) =>
    needs !== undefined && needs !== 'propose' && yieldsToProtection(needs) && path.includes('{env}'),
};
const allSessions: Ender = {
  name: 'the end of all sessions of the account',
  end: ({ server, accountId }) => server.running.store.signOutAccount(by(), accountId, clock.at + 1_000),
};
/** Logout and every other end of a session work this way. */
const session: Ender = {
  name: 'the end of its session',
  end: ({ server, accountId }, { sessionId: tokenId = '' }) =>
    server.running.store.revokeAccessToken({ tokenId, accountId, endedAt: clock.at, expiresAt: null }),
};
const revocation: Ender = {
  name: 'its revocation',
  end: (ground, { authorization, client }) =>
    postForm(ground, '/v1/auth/revoke', { token: authorization.replace('Bearer ', ''), ...client }),
};

const ofMembers: readonly Ender[] = [
  {
    name: 'removal',
    end: (ground, { id }) => ground.send('DELETE', `${account(ground)}/members/${id}`),
  },
  {
    name: 'a lower role',
    end: (ground, { id }) =>
      ground.send('PATCH', `${account(ground)}/members/${id}`, { role: 'viewer', environments: null }),
    takes: takenFrom({ role: 'viewer', environments: null }),
  },
  {
    name: 'narrower environments',
    end: (ground, { id }) =>
      ground.send('PATCH', `${account(ground)}/members/${id}`, { role: 'admin', environments: ['staging'] }),
    takes: takenFrom({ role: 'admin', environments: ['staging'] }),
  },
  {
    name: 'a second factor that is required',
    end: (ground) => ground.send('PATCH', account(ground), { requireSecondFactor: true }),
  },
  // Among members, protection only excludes editors, who may not write schemas anyway.
  { ...protection, role: 'editor', takes: ({ needs }) => needs === 'write_state' },
];

const ofServiceAccounts: readonly Ender[] = [
  protection,
  {
    name: 'its deletion',
    end: (ground, { id }) => ground.send('DELETE', `${account(ground)}/service-accounts/${id}`),
  },
  {
    name: 'the deletion of its secret',
    async end(ground, { id }) {
      const path = `${account(ground)}/service-accounts/${id}`;
      const { json } = await ground.send('GET', path);
      const [{ secretId } = { secretId: '' }] = (json as { secrets: { secretId: string }[] }).secrets;
      await ground.send('POST', `${path}/secrets`);
      await ground.send('DELETE', `${path}/secrets/${secretId}`);
    },
  },
];

const player = ({ project }: Ground, { id }: Made) => `${project.path}/players/${id}`;
const ofPlayers: readonly Ender[] = [
  {
    name: 'the end of its sessions',
    end: (ground, created) => ground.send('DELETE', `${player(ground, created)}/sessions`),
  },
  { name: 'erasure by a developer', end: (ground, created) => ground.send('DELETE', player(ground, created)) },
  {
    name: 'erasure by itself',
    end: ({ send, project }, { authorization }) =>
      send('DELETE', `${project.path}/me`, undefined, { Authorization: authorization }),
  },
];
/** A user without a user state who never signed in cannot be blocked: `docs/contract.md` §8.12. */
const block: Ender = {
  name: 'a block',
  end: (ground, created) => ground.send('PUT', `${player(ground, created)}/block`, {}),
};

const guestId = `guest_${'a'.repeat(22)}`;
const tokenOf = async ({ server, project, accountId }: Ground, userId: string, more: object): Promise<Made> => {
  const { slug } = project;
  const claims = { accountId, slug, environment: 'development', userId, seconds, ...more } as const;
  const token = await server.running.accessTokens.signPlayerToken(claims);
  return { authorization: `Bearer ${token}`, id: userId, client: { client_id: `${accountId}.${slug}` } };
};

const reachesAsRobot = (needs: NonNullable<Operation['needs']>) =>
  !['manage_access', 'manage_webhooks', 'own', 'self', 'read_members', 'read_access'].includes(needs);

/** Only people approve proposals. */
const isForPeople = ({ path }: Operation) => path.endsWith('/approvals');

export const kinds: readonly Kind[] = [
  {
    name: 'a member',
    kind: 'developer',
    async make({ server, accountId }, role = 'owner') {
      await newMember(server, accountId, 'owner'); // the last owner must remain one
      const { memberId, subject } = await newMember(server, accountId, role);
      const sessionId = randomUUID();
      const token = await server.running.accessTokens.signDeveloperToken({ accountId, subject, sessionId, seconds });
      return { authorization: `Bearer ${token}`, id: memberId, client: { client_id: developerClientId }, sessionId };
    },
    enders: [...everything, allSessions, session, revocation, ...ofMembers],
  },
  {
    name: 'the operator',
    kind: 'developer',
    async make({ server, accountId }) {
      const claims = { accountId, subject: 'operator', actsAs: 'operator', seconds } as const;
      const token = await server.running.accessTokens.signDeveloperToken(claims);
      return { authorization: `Bearer ${token}`, id: 'operator', client: { client_id: developerClientId } };
    },
    takes: (operation) => !isForPeople(operation),
    enders: [...everything, allSessions, revocation],
  },
  {
    name: 'a service account',
    kind: 'developer',
    async make(ground) {
      const created = await ground.send('POST', `${account(ground)}/service-accounts`, { name: 'Actor', role: 'admin' });
      const { id, clientSecret } = created.json as { id: string; clientSecret: string };
      const client = { client_id: id, client_secret: clientSecret };
      const tokens = await postForm(ground, '/v1/auth/token', { grant_type: 'client_credentials', ...client });
      return { authorization: `Bearer ${(tokens as { access_token: string }).access_token}`, id, client };
    },
    takes: (operation) => operation.needs !== undefined && reachesAsRobot(operation.needs) && !isForPeople(operation),
    enders: [...everything, revocation, ...ofServiceAccounts],
  },
  {
    name: 'an API key',
    kind: 'api_key',
    async make({ server, project }) {
      const expiresAt = new Date(clock.at + seconds * 1_000).toISOString();
      const { id, apiKey } = await server.newApiKey(project, { expiresAt });
      return { authorization: `ApiKey ${apiKey}`, id };
    },
    enders: [
      ...everything,
      protection,
      {
        name: 'its revocation',
        end: ({ send, project }, { id }) => send('DELETE', `${project.path}/api-keys/${id}`),
      },
    ],
  },
  {
    name: 'a player',
    kind: 'end_user',
    async make(ground) {
      const sessionId = randomUUID();
      return { ...(await tokenOf(ground, playerId, { signedInAt: clock.at, sessionId })), sessionId };
    },
    enders: [...everything, allSessions, session, revocation, block, ...ofPlayers],
  },
  {
    name: 'a guest without a user state',
    kind: 'end_user',
    make: (ground) => tokenOf(ground, guestId, { isGuest: true }),
    // A guest can be merged into a player, but no user can be merged into a guest.
    takes: ({ path }) => !path.endsWith('/me/merge'),
    enders: [...everything, allSessions, revocation, ...ofPlayers],
    condition: { 'If-None-Match': '*' },
  },
];
