import type { CredentialKind } from '@holdfast/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { challengeHeader } from '../common/requests/challenge.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { generateApiKey } from '../common/secrets/api-key-text.ts';
import { hashSecret } from '../common/secrets/secret-text.ts';
import { createAccessTokens } from '../oauth/access-token.ts';
import { createSigningKeys, type SigningKeys } from '../oauth/signing-keys.ts';
import { createSealer } from '../secrets/sealer.ts';
import type { Invitation } from '../storage/contract/invitations.ts';
import type { Store } from '../storage/store.ts';
import { byOperator } from '../storage/store-suite/records.fixture.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { createAuthorities } from './authorities.ts';
import { createServiceAccountUses } from './last-uses.ts';
import { createPlayerEndings } from './player-endings.ts';
import type { DeveloperPrincipal } from './principal.ts';
import { createProjectCache } from './project-cache.ts';
import { RevokedTokens } from './revoked-tokens.ts';
import { addAccount, addApiKey, addProject, openStoreFixture, type StoreFixture } from './store.fixture.ts';

const issuer = 'https://idp.example';
const invitationOf = (accountId: string): Invitation => ({
  invitationId: 'inv_1',
  accountId,
  role: 'owner',
  environments: null,
  email: null,
  inviter: null,
  makerId: null,
  createdAt: 1_000,
  expiresAt: 9_000,
});
const publicState: readonly CredentialKind[] = ['developer', 'api_key'];
const bearerOnly: readonly CredentialKind[] = ['developer'];
const playersOnly: readonly CredentialKind[] = ['end_user'];
const keyOnly: readonly CredentialKind[] = ['api_key'];

let fixture: StoreFixture;
let store: Store;
let nowMs = Date.UTC(2026, 0, 1);
const now = () => nowMs;
let lookUps = 0;
let signingKeys: SigningKeys;
let tokens: ReturnType<typeof createAccessTokens>;
let authenticator: Authenticator;

beforeAll(async () => {
  fixture = await openStoreFixture();
  store = fixture.store;
  await store.createDeveloper(issuer, 'dev', { accountId: 'acc_1', name: 'One', idpTenantId: 't-1', createdAt: 1_000 });
  await addProject(store, 'acc_1', 'hello');
  signingKeys = createSigningKeys({
    store,
    purpose: 'access_token',
    ...createSealer(Buffer.alloc(32, 1), 'signing-key'),
    now,
  });
  tokens = createAccessTokens({ signingKeys, issuer: () => 'https://state.example', now });
});
afterAll(() => fixture.dispose());
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1);
  lookUps = 0;
  authenticator = createOver(store);
});

/** An authenticator over the store that counts what it looks up. */
function createOver(backing: Pick<Store, 'onAccessChange' | 'findApiKey' | 'recordApiKeyUse'>): Authenticator {
  const projectCache = createProjectCache(store, now);
  return createAuthenticator({
    revokedTokens: new RevokedTokens({ store, accessTokenSeconds: 900, now }),
    playerEndings: createPlayerEndings(store, projectCache, now),
    store: {
      onAccessChange: (listener) => backing.onAccessChange(listener),
      recordApiKeyUse: (uses) => backing.recordApiKeyUse(uses),
      findAccount: (accountId) => store.findAccount(accountId),
      findApiKey: (hash) => {
        lookUps++;
        return backing.findApiKey(hash);
      },
    },
    projectCache,
    authorities: createAuthorities({ store, issuer }),
    serviceAccountUses: createServiceAccountUses((uses) => store.recordServiceAccountUse(uses)),
    verifyAccessToken: (token) => {
      lookUps++;
      return tokens.verify(token);
    },
    now,
  });
}

const developerToken = (accountId = 'acc_1') => tokens.signDeveloperToken({ accountId, subject: 'dev', seconds: 900 });
const playerToken = () =>
  tokens.signPlayerToken({ accountId: 'acc_1', slug: 'hello', environment: 'staging', userId: 'u', seconds: 900 });

/** The `WWW-Authenticate` header of the refusal. */
async function challengeOf(authorization: string | undefined, accepted: readonly CredentialKind[]): Promise<string> {
  try {
    await authenticator.authenticate(authorization, accepted);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && error.challenge) return challengeHeader(error.challenge);
    throw error;
  }
  return 'accepted';
}
const invalidToken = (description: string) => `Bearer error="invalid_token", error_description="${description}"`;

describe('a credential of a kind that the route does not accept', () => {
  const refusalOf = async (authorization: string, accepted: readonly CredentialKind[]) => {
    const refused = (async () => authenticator.authenticate(authorization, accepted))();
    return refused.then(
      () => 'accepted',
      ({ message, challenge }: Refusal) => `${challenge && challengeHeader(challenge)}: ${message}`,
    );
  };

  it('counts as missing, and the message names the accepted kinds', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    expect(await refusalOf(`ApiKey ${text}`, bearerOnly)).toBe(
      'Bearer: this route takes no API keys: sign in, and send Authorization: Bearer TOKEN',
    );
    expect(await refusalOf(`Bearer ${await developerToken()}`, ['api_key'])).toBe(
      'Bearer: this route takes API keys only: send Authorization: ApiKey KEY',
    );
  });
});

describe('a valid credential', () => {
  it('of a developer becomes a developer', async () => {
    const token = await developerToken();
    expect(await authenticator.authenticate(`Bearer ${token}`, publicState)).toEqual({
      kind: 'developer',
      accountId: 'acc_1',
      subject: 'dev',
      actsAs: 'member',
      role: 'owner',
      environments: null,
      memberId: expect.stringMatching(/^mem_[0-9A-Za-z]{22}$/),
      name: null,
      credentialId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAtMs: nowMs + 900_000,
    });
  });

  it('of a player becomes a player, whatever kind of token the route accepts', async () => {
    const token = await playerToken();
    for (const accepted of [playersOnly, bearerOnly, publicState]) {
      expect(await authenticator.authenticate(`Bearer ${token}`, accepted)).toMatchObject({
        kind: 'end_user',
        accountId: 'acc_1',
        slug: 'hello',
        environment: 'staging',
        userId: 'u',
      });
    }
  });

  it('of a project becomes the permissions of the API key', async () => {
    const { text, key } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' }, { access: 'read' });
    const { lastUsedAt: _, kind: keyKind, ...record } = key;
    expect(await authenticator.authenticate(`ApiKey ${text}`, publicState)).toEqual({
      kind: 'api_key',
      credentialId: key.keyId,
      expiresAtMs: Number.POSITIVE_INFINITY,
      keyKind,
      protectedEnvironments: [],
      approvedEnvironments: [],
      ...record,
    });
  });

  it('is accepted with its scheme in any case and any number of spaces', async () => {
    const token = await developerToken();
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    for (const header of [`bearer ${token}`, `BEARER   ${token}`, `apikey ${text}`, `APIKEY ${text}`, `aPiKeY  ${text}`]) {
      expect(await challengeOf(header, publicState)).toBe('accepted');
    }
  });

  it('is looked up once, then served from memory', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    for (const header of [`Bearer ${await developerToken()}`, `ApiKey ${text}`]) {
      lookUps = 0;
      const first = await authenticator.authenticate(header, publicState);
      expect(authenticator.authenticate(header, publicState)).toBe(first);
      expect(lookUps).toBe(1);
    }
  });
});

describe('401 asks for a credential', () => {
  it.each([
    undefined,
    '',
    ' ',
    'Bearer',
    'bearer ',
    'ApiKey',
    'Basic dTpw',
    'Digest x',
    'BearerX abc',
    'Token abc',
    ': x',
    'Bearer\tabc',
  ])('if the header is %j', async (header) => {
    expect(await challengeOf(header, publicState)).toBe('Bearer');
    expect(lookUps).toBe(0);
  });

  it('if letters that fold to ASCII spell the scheme', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    for (const scheme of ['Api\u212Aey', 'AP\u0130Key', 'Bearer\u00A0', '\uFEFFBearer']) {
      expect(await challengeOf(`${scheme} ${text}`, publicState)).toBe('Bearer');
    }
  });

  it('with a hint if an API key is sent as a token', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    for (const key of [text, 'svck_typo', 'svcp_typo']) {
      expect(await challengeOf(`Bearer ${key}`, publicState)).toMatch(
        /^Bearer error="invalid_token".*Authorization: ApiKey/,
      );
    }
    expect(lookUps).toBe(0);
  });

  it('if an API key is sent to a route for tokens only, valid or not', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    for (const key of [text, 'nonsense']) {
      for (const accepted of [bearerOnly, playersOnly]) {
        expect(await challengeOf(`ApiKey ${key}`, accepted)).toBe('Bearer');
      }
    }
    expect(lookUps).toBe(0);
    await authenticator.authenticate(`ApiKey ${text}`, publicState);
    expect(await challengeOf(`ApiKey ${text}`, bearerOnly)).toBe('Bearer');
  });

  it('if a token is sent to a route for API keys only, remembered or not', async () => {
    const header = `Bearer ${await developerToken()}`;
    expect(await challengeOf(header, keyOnly)).toBe('Bearer');
    await authenticator.authenticate(header, publicState);
    expect(await challengeOf(header, keyOnly)).toBe('Bearer');
  });
});

describe('401 says invalid_token', () => {
  it.each(['a b', 'a,b', 'é', '"x"', '\0', 'a\tb', 'a=b', '=', 'token;q=1', 'x, Bearer y'])(
    'if the credential is %j',
    async (credential) => {
      expect(await challengeOf(`Bearer ${credential}`, publicState)).toBe(invalidToken('the credential is malformed'));
      expect(await challengeOf(`ApiKey ${credential}`, publicState)).toBe(invalidToken('the credential is malformed'));
      expect(lookUps).toBe(0);
    },
  );

  it('if the header is over 8,192 characters, without reading it', async () => {
    expect(await challengeOf(`Bearer ${'a'.repeat(8_186)}`, publicState)).toMatch(/more than 8192 characters/);
    expect(await challengeOf(`ApiKey ${'a'.repeat(1_000_000)}`, publicState)).toMatch(/more than 8192 characters/);
    expect(lookUps).toBe(0);
    expect(await challengeOf(`Bearer ${'a'.repeat(8_185)}`, publicState)).not.toMatch(/more than/);
  });

  it('if an API key has a typo, without a look-up', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    const typo = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
    expect(await challengeOf(`ApiKey ${typo}`, publicState)).toBe(invalidToken('the API key is malformed'));
    expect(lookUps).toBe(0);
  });

  it('if an API key never existed', async () => {
    expect(await challengeOf(`ApiKey ${generateApiKey()}`, publicState)).toBe(
      invalidToken('the API key is unknown or was revoked'),
    );
  });

  it('if an API key is sent as a token, or a token as an API key', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    expect(await challengeOf(`Bearer ${text}`, publicState)).toMatch(/^Bearer error="invalid_token"/);
    expect(await challengeOf(`ApiKey ${await developerToken()}`, publicState)).toMatch(/the API key is malformed/);
  });

  it('if a token names an account that does not exist', async () => {
    expect(await challengeOf(`Bearer ${await developerToken('acc_none')}`, publicState)).toBe(
      invalidToken('the account of the token no longer exists'),
    );
  });

  it('from the millisecond of expiry, remembered or not', async () => {
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' }, { expiresAt: nowMs + 900_000 });
    for (const [header, fault] of [
      [`Bearer ${await developerToken()}`, 'the token expired'],
      [`ApiKey ${text}`, 'the API key expired'],
    ] as const) {
      nowMs = Date.UTC(2026, 0, 1) + 899_999;
      expect(await challengeOf(header, publicState)).toBe('accepted');
      nowMs += 1;
      expect(await challengeOf(header, publicState)).toBe(invalidToken(fault));
      authenticator = createOver(store);
      expect(await challengeOf(header, publicState)).toBe(invalidToken(fault));
      nowMs = Date.UTC(2026, 0, 1);
    }
  });
});

describe('revocation', () => {
  const revoked = invalidToken('the API key is unknown or was revoked');

  it('of an API key: rejected once its deletion is acknowledged', async () => {
    const { text, key } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    expect(await challengeOf(`ApiKey ${text}`, publicState)).toBe('accepted');
    await store.deleteApiKey(byOperator, key, key.keyId);
    expect(await challengeOf(`ApiKey ${text}`, publicState)).toBe(revoked);
  });

  it('of a project ends its API keys', async () => {
    const project = await addProject(store, 'acc_1', 'short-lived');
    const { text } = await addApiKey(store, project);
    expect(await challengeOf(`ApiKey ${text}`, publicState)).toBe('accepted');
    await store.deleteProject(byOperator, project);
    expect(await challengeOf(`ApiKey ${text}`, publicState)).toBe(revoked);
  });

  it('of an account ends its tokens', async () => {
    await addAccount(store, 'acc_2');
    const operator = { accountId: 'acc_2', subject: 'operator', actsAs: 'operator', seconds: 900 } as const;
    const header = `Bearer ${await tokens.signDeveloperToken(operator)}`;
    expect(await challengeOf(header, publicState)).toBe('accepted');
    await store.deleteAccount('acc_2');
    expect(await challengeOf(header, publicState)).toBe(invalidToken('the account of the token no longer exists'));
  });

  it('of a membership, or part of it, takes effect from the next request', async () => {
    await store.createDeveloper(issuer, 'eve', { accountId: 'acc_5', name: 'Five', idpTenantId: 't-5', createdAt: 1_000 });
    await store.addInvitation(byOperator, hashSecret('i'), invitationOf('acc_5'), 10);
    await store.acceptInvitation(byOperator, hashSecret('i'), issuer, 'adam', { email: null, name: null }, 2_000, 10);
    const header = `Bearer ${await tokens.signDeveloperToken({ accountId: 'acc_5', subject: 'eve', seconds: 900 })}`;
    const owner = { role: 'owner', environments: null } as const;
    const principal = async () => (await authenticator.authenticate(header, publicState)) as DeveloperPrincipal;
    const { memberId } = await principal();
    expect(await principal()).toMatchObject({ role: 'owner', environments: null });
    await store.changeMember(byOperator, 'acc_5', memberId as string, { role: 'editor', environments: ['staging'] }, owner);
    expect(await principal()).toMatchObject({ role: 'editor', environments: ['staging'] });
    await store.removeMember(byOperator, 'acc_5', memberId as string, owner);
    expect(await challengeOf(header, publicState)).toBe(
      invalidToken('the developer is not a member of the account of the token'),
    );
  });

  it('of something else leaves the credential remembered', async () => {
    const project = await addProject(store, 'acc_1', 'neighbour');
    const [{ text }, other] = [await addApiKey(store, project), await addApiKey(store, project)];
    await addAccount(store, 'acc_3');
    const elsewhere = await addProject(store, 'acc_3', 'p');
    const headers = [`ApiKey ${text}`, `Bearer ${await developerToken()}`, `Bearer ${await playerToken()}`];
    for (const header of headers) expect(await challengeOf(header, publicState)).toBe('accepted');
    expect(lookUps).toBe(headers.length);

    await store.deleteApiKey(byOperator, project, other.key.keyId);
    await store.writePlayerAuth(byOperator, elsewhere, '{}');
    await store.deleteProject(byOperator, elsewhere);
    await store.deleteAccount('acc_3');
    for (const header of headers) expect(await challengeOf(header, publicState)).toBe('accepted');
    expect(lookUps).toBe(headers.length);
  });

  it('of the signing keys makes tokens be verified again', async () => {
    const header = `Bearer ${await developerToken()}`;
    expect(await challengeOf(header, publicState)).toBe('accepted');
    const { text } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    await challengeOf(`ApiKey ${text}`, publicState);
    const before = lookUps;
    await store.addSigningKey(
      { purpose: 'id_token', keyId: 'i', publicJwk: '{}', sealedPrivateJwk: Uint8Array.of(1), createdAt: 1 },
      null,
    );
    expect(await challengeOf(header, publicState)).toBe('accepted');
    expect(lookUps).toBe(before);
    await signingKeys.rotate({ revoke: true });
    expect(await challengeOf(header, publicState)).toMatch(/^Bearer error="invalid_token"/);
    expect(lookUps).toBe(before + 1);
  });

  it('is not undone by an earlier look-up that is still running', async () => {
    const { text, key } = await addApiKey(store, { accountId: 'acc_1', slug: 'hello' });
    const gate = Promise.withResolvers<void>();
    authenticator = createOver({
      onAccessChange: (listener) => store.onAccessChange(listener),
      recordApiKeyUse: (uses) => store.recordApiKeyUse(uses),
      findApiKey: async (hash) => {
        const found = await store.findApiKey(hash);
        await gate.promise;
        return found;
      },
    });
    const early = authenticator.authenticate(`ApiKey ${text}`, publicState);
    await store.deleteApiKey(byOperator, key, key.keyId);
    gate.resolve();
    expect(await early).toMatchObject({ keyId: key.keyId });
    expect(await challengeOf(`ApiKey ${text}`, publicState)).toBe(revoked);
  });
});

it('closing the authenticator stores the last use of each API key that was used', async () => {
  const project = await addProject(store, 'acc_1', 'used');
  const [used, unused] = [await addApiKey(store, project), await addApiKey(store, project)];
  await authenticator.authenticate(`ApiKey ${used.text}`, publicState);
  await authenticator.close();
  const lastUses = new Map((await store.listApiKeys(project, 1_000)).map((key) => [key.keyId, key.lastUsedAt]));
  expect(lastUses).toEqual(
    new Map([
      [used.key.keyId, nowMs],
      [unused.key.keyId, null],
    ]),
  );
});
