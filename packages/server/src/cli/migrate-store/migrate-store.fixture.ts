/** A store with every kind of record. */
import { createHash } from 'node:crypto';
import type { Author, Expectation, PublicStateKey } from '../../storage/contract/public-states.ts';
import { publicScope, type Repeat } from '../../storage/contract/repeats.ts';
import type { AuthorizationCode } from '../../storage/contract/sign-ins.ts';
import type { Store } from '../../storage/store.ts';
import { anAccount, aProject, byOperator as by, projectChanges } from '../../storage/store-suite/records.fixture.ts';
import { fillMarks, fillServiceAccounts, fillSigningKeys, fillStandings } from './access.fixture.ts';
import { fillMembers } from './members.fixture.ts';
import { fillPlayers, fillUpgraded, signInSettings } from './players.fixture.ts';
import { fillProposals, requireKind } from './proposals.fixture.ts';
import { fillSchemas } from './schemas.fixture.ts';

/** Strings that database engines often get wrong. */
export const texts = [
  `it's "quoted" \\ and; -- DROP TABLE accounts`,
  'caf\u00e9 \u65e5\u672c \u{1f468}\u200d\u{1f469}',
  'nul \u0000 within',
  'lone \ud800 surrogates \udfff',
  '\ufeffbyte order mark, \uffff',
  '\u2028 \r\n\t\u007f %s $1 :name {0} \\x41',
] as const;

/** Stored texts of documents: numbers to the last digit, lone surrogates as escapes. */
const documents = [
  '{"n":12345678901234567890.123456789,"e":1E400,"z":-0,"s":"\\ud800 \\u0000"}',
  `{"text":${JSON.stringify(`caf\u00e9 \u{1f600} ${'x'.repeat(20_000)}`)}}`,
  '{"list":[]}',
  '{"a":"\\\\x41 \\"quoted\\""}',
] as const;

const authors: readonly (Author | null)[] = [
  { kind: 'api_key', id: 'key_1', name: texts[3] },
  { kind: 'developer', id: texts[0] },
  null,
];

export const repeatOf = (scope: string, n: number): Repeat => ({
  scope,
  key: hashOf(`key ${n}`),
  request: hashOf(`request ${n}`),
});

export const hashOf = (text: string): Uint8Array => Uint8Array.from(createHash('sha256').update(text).digest());

/** A guest who has signed up. */
const upgradedGuest = 'guest_0123456789abcdefABCDEF';

export const environments = ['development', 'staging', 'production'] as const;
export const accounts = ['acc_alpha', 'acc_beta', 'acc_gamma', 'acc_empty'] as const;
export const projects = [
  ['acc_alpha', 'game'],
  ['acc_alpha', 'shop'],
  ['acc_beta', 'game'],
] as const;
/** The month of the counted requests. */
export const monthStartsAt = Date.UTC(2026, 10, 1);
/** Before anything expires. */
export const now = 5_000;

export type Key = PublicStateKey;

async function writePublic(store: Store, key: Key, count: number): Promise<void> {
  const project = await store.findProject(key);
  for (let written = 0; written < count; written++) {
    const current = await store.readPublicState(key);
    const expected: Expectation =
      current.kind === 'present' ? { kind: 'version', version: current.record.version } : { kind: 'absent' };
    const stateText = documents[written % documents.length] as string;
    const comment = written % 3 === 0 ? null : (texts[written % texts.length] as string);
    const next = {
      stateText,
      stateBytes: Buffer.byteLength(stateText),
      comment,
      writtenAt: 4_000 + written,
      author: authors[written % authors.length] as Author | null,
      ...(written % 7 === 0 && { repeat: repeatOf(publicScope(key, project?.createdAt ?? 0), written) }),
    };
    requireKind(await store.writePublicState(key, expected, next), 'written');
  }
}

/** Writes the state of a player this many times. */
export async function writeUser(store: Store, key: Key & { readonly playerId: string }, count: number): Promise<void> {
  for (let written = 0; written < count; written++) {
    const current = await store.readUserState(key);
    const expected: Expectation =
      current.kind === 'present' ? { kind: 'version', version: current.record.version } : { kind: 'absent' };
    const stateText = documents[(written + key.playerId.length) % documents.length] as string;
    const before = current.kind === 'present' ? current.record : undefined;
    const author = authors[written % authors.length] ?? null;
    const times = { writtenAt: 4_000 + written, retention: { versionsMax: 1_000, keptAfter: 0 } };
    const next = { stateText, stateBytes: Buffer.byteLength(stateText), author, comment: texts[2], before, ...times };
    requireKind(await store.writeUserState(key, expected, next), 'written');
  }
}

/** Adds every kind of record to an empty store, and deletes some again. */
export async function fillStore(store: Store): Promise<void> {
  await fillMarks(store, now);
  await fillProjects(store);
  await fillStates(store);
  await fillIdentities(store);
  await fillSignIns(store);
}

async function fillProjects(store: Store): Promise<void> {
  for (const [index, accountId] of accounts.entries()) {
    const name = texts[index] as string;
    requireKind(
      await store.createAccount({ accountId, name, idpTenantId: `tenant-${index}`, createdAt: 1_000 }),
      'created',
    );
  }
  await store.createAccount(anAccount({ accountId: 'acc_gone', name: 'Gone', idpTenantId: 't', createdAt: 1_000 }));
  await store.createProject(by, aProject({ accountId: 'acc_gone', slug: 'gone', name: 'Gone', createdAt: 2_000 }));
  await writePublic(store, { accountId: 'acc_gone', slug: 'gone', environment: 'staging' }, 2);
  for (const [accountId, slug] of projects) {
    await store.createProject(by, aProject({ accountId, slug, name: texts[slug.length] ?? slug, createdAt: 2_000 }));
  }
  await fillStandings(store);
  await store.addApiRequests(monthStartsAt, [
    { accountId: 'acc_alpha', requests: 41 },
    { accountId: 'acc_beta', requests: 1 },
  ]);
  await store.addApiRequests(monthStartsAt, [{ accountId: 'acc_alpha', requests: 2 }], monthStartsAt);
  await store.addApiRequests(Date.UTC(2026, 9, 1), [{ accountId: 'acc_alpha', requests: 999 }]);
  for (const [index, [accountId, slug]] of projects.entries()) {
    await store.writePlayerAuth(by, { accountId, slug }, signInSettings(index));
    await store.updateProject(by, { accountId, slug }, projectChanges[(index + 1) % 2] ?? {});
    for (const number of [1, 2, 3]) {
      const key = {
        accountId,
        slug,
        keyId: `key_${index}_${number}`,
        name: texts[number] as string,
        start: 'svck_abcd',
        kind: number === 3 ? ('publishable' as const) : ('secret' as const),
        access: 'write' as const,
        environments: environments.slice(0, number),
        createdAt: 3_000,
        lastUsedAt: null,
        expiresAt: number === 2 ? 10 ** 13 : null,
        requestsPerMinute: null,
      };
      const sealedKey = key.kind === 'publishable' ? hashOf('sealed key') : null;
      requireKind(await store.createApiKey(by, key, hashOf(`key ${index} ${number}`), 1_000, sealedKey), 'created');
    }
    await store.limitApiKey(by, accountId, `key_${index}_1`, index * 100);
    await store.recordApiKeyUse([{ accountId, keyId: `key_${index}_3`, usedAt: 3_500 }]);
  }
  await fillServiceAccounts(store, texts);
  await fillSigningKeys(store);
}

async function fillStates(store: Store): Promise<void> {
  const [game, shop, other] = projects.map(([accountId, slug]) => ({ accountId, slug }));
  if (!game || !shop || !other) return;
  await writePublic(store, { ...game, environment: 'production' }, 140);
  await writePublic(store, { ...game, environment: 'development' }, 1);
  await writePublic(store, { ...other, environment: 'staging' }, 5);
  await writePublic(store, { ...other, environment: 'production' }, 9);
  await store.dropPublicStateVersions({ ...other, environment: 'production' }, { versionsMax: 2, keptAfter: 0 });
  await writePublic(store, { ...shop, environment: 'production' }, 7);
  await writeUser(store, { ...shop, environment: 'production', playerId: 'early' }, 9);
  await store.deleteProject(by, shop);
  await store.createProject(by, aProject({ ...shop, name: 'Again', createdAt: 2_500 }));
  await writePublic(store, { ...shop, environment: 'production' }, 2);
  await store.createProject(by, aProject({ accountId: 'acc_gamma', slug: 'brief', name: 'Brief', createdAt: 2_600 }));
  await writePublic(store, { accountId: 'acc_gamma', slug: 'brief', environment: 'staging' }, 3);
  await writeUser(store, { accountId: 'acc_gamma', slug: 'brief', environment: 'development', playerId: 'x' }, 3);
  await store.deleteProject(by, { accountId: 'acc_gamma', slug: 'brief' });
  for (const [index, playerId] of [...texts, 'ada', 'bob', 'cyd', upgradedGuest].entries()) {
    await writeUser(store, { ...game, environment: 'production', playerId }, 1 + (index % 3));
    if (index % 2 === 0) await writeUser(store, { ...game, environment: 'staging', playerId }, 1);
  }
  await writeUser(store, { ...other, environment: 'development', playerId: 'ada' }, 5);
  await fillPlayers(store, game, texts);
  await fillProposals(store, { ...game, environment: 'production' }, 140, texts);
  // Deleted players, whose versions must not be reused.
  await writeUser(store, { ...game, environment: 'production', playerId: 'deleted' }, 12);
  await store.deleteUserStates(by, game, 'deleted');
  await store.deleteAccount('acc_gone');
}

/** Adds 3,000 versions and 3,000 players: more than two batches of each. */
export async function fillMore(store: Store): Promise<void> {
  const account = { accountId: 'acc_more', name: 'More', idpTenantId: 't', createdAt: 1_000 };
  await store.createAccount(account);
  const written: Promise<unknown>[] = [];
  for (let index = 0; index < 30; index++) {
    const key = { accountId: account.accountId, slug: `more-${index}`, environment: 'production' as const };
    await store.createProject(by, aProject({ ...key, name: 'More', createdAt: 2_000 }));
    for (let number = 0; number < 100; number++) {
      const [stateText, stateBytes, writtenAt] = [`{"n":${number}}`, `{"n":${number}}`.length, 4_000] as const;
      const expected: Expectation = number === 0 ? { kind: 'absent' } : { kind: 'version', version: number };
      const next = { stateText, stateBytes, writtenAt, author: null };
      written.push(store.writePublicState(key, expected, { ...next, comment: null }));
      written.push(store.writeUserState({ ...key, playerId: `user ${number}` }, { kind: 'absent' }, next));
    }
  }
  await Promise.all(written);
}

async function fillIdentities(store: Store): Promise<void> {
  for (const accountId of ['acc_alpha', null]) {
    for (const name of ['ada', 'bob']) {
      const user = await signUp(store, accountId, `${name}@example.com`, `usr_${name}`);
      if (name === 'bob') continue;
      for (const number of [1, 2]) {
        const ids = { accountId, userId: user, credentialId: `credential-${number}` };
        const key = { publicKey: hashOf(`${accountId} ${number}`), counter: number - 1, transports: ['internal', 'usb'] };
        requireKind(await store.addPasskey({ ...ids, ...key, createdAt: 3_000, lastUsedAt: null }, 9), 'added');
      }
      await store.usePasskey({ accountId, credentialId: 'credential-2' }, 5, 3_300);
      const factor = { accountId, userId: user, sealedSecret: hashOf('app'), createdAt: 3_400, lastStep: 58_666_666 };
      requireKind(await store.addSecondFactor(factor, [hashOf('recovery 1'), hashOf('recovery 2')]), 'added');
      const reset = { accountId, userId: user, returnQuery: texts[1], expiresAt: 60_000 };
      requireKind(await store.addPasswordReset(hashOf(`reset ${accountId}`), reset), 'added');
    }
    // Two that wait for their code, with the same address and time.
    for (const number of [1, 2]) {
      requireKind(
        await store.addSignUp(hashOf(`waiting ${accountId} ${number}`), signUpOf(accountId, 'cyd@example.com')),
        'added',
      );
    }
  }
  const provider = { accountId: 'acc_alpha', sealedSecret: hashOf('secret'), writtenAt: 2_000 };
  const issuer = 'https://issuer.example';
  const settings = { clientId: 'c', name: texts[2], issuer, tenant: null, teamId: null, keyId: null };
  await store.writeIdentityProvider(by, { ...provider, providerId: 'oidc.company', settings }, 9);
  await store.writeIdentityProvider(by, { ...provider, providerId: 'google.com', sealedSecret: null, settings }, 9);
  const identity = { accountId: 'acc_alpha', providerId: 'oidc.company', issuer, subject: texts[3] };
  const [shown, made] = [
    { email: texts[1], name: texts[3] },
    { userId: 'usr_federated', createdAt: 2_200 },
  ];
  await store.signInFederatedUser(identity, shown, made);
  requireKind(await store.spendTicket(hashOf('ticket'), 60_000), 'spent');
}

const signUpOf = (accountId: string | null, email: string) => ({
  accountId,
  email,
  emailKey: email,
  name: texts[0],
  passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA',
  codeHash: hashOf('code'),
  attemptsLeft: 5,
  createdAt: 1_000,
  expiresAt: 60_000,
});

async function signUp(store: Store, accountId: string | null, email: string, userId: string): Promise<string> {
  const hash = hashOf(`sign-up ${accountId} ${email}`);
  requireKind(await store.addSignUp(hash, signUpOf(accountId, email)), 'added');
  requireKind(await store.confirmSignUp(hash, hashOf('code'), { userId, createdAt: 2_000 }, 2_000), 'confirmed');
  return userId;
}

const codeOf = (subject: string, slug: string | null): AuthorizationCode => ({
  accountId: 'acc_alpha',
  slug,
  environment: slug === null ? null : 'production',
  clientId: slug === null ? 'svc-developer' : `acc_alpha.${slug}`,
  subject,
  scope: 'env:production',
  email: texts[1],
  name: texts[3],
  redirectUri: 'https://example.com/callback',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  amr: 'pwd otp mfa',
  expiresAt: 60_000,
});

export const families = ['alive', 'rotated', 'revoked', 'developer'] as const;

async function fillSignIns(store: Store): Promise<void> {
  const account = { accountId: 'acc_dev', name: 'Developer', idpTenantId: 't', createdAt: 1_500 };
  await fillMembers(store, account, texts);
  await fillSchemas(store, texts);
  await store.createDeveloper('https://issuer.example', texts[3], { ...account, accountId: 'acc_other' });
  requireKind(await store.addAuthorizationCode(hashOf('unspent'), codeOf(texts[0], 'game')), 'added');
  requireKind(await store.addAuthorizationCode(hashOf('unspent developer'), codeOf('usr_ada', null)), 'added');
  for (const familyId of families) {
    const code = codeOf(texts[3], familyId === 'developer' ? null : 'game');
    requireKind(await store.addAuthorizationCode(hashOf(`code ${familyId}`), code), 'added');
    const times = { createdAt: 1_000, idleExpiresAt: 10 ** 13, absoluteExpiresAt: 10 ** 13 + 1 };
    const family = { ...code, familyId, place: 'Firefox · 192.0.2.0/24', ...times };
    const redeemed = store.redeemAuthorizationCode(hashOf(`code ${familyId}`), family, hashOf(`${familyId} 0`), now);
    requireKind(await redeemed, 'redeemed');
  }
  await fillUpgraded(store, codeOf('newcomer', 'game'), upgradedGuest);
  const token = { familyId: 'rotated', secretHash: hashOf('rotated 0') };
  const mark = hashOf('key of a client').slice(-8);
  const next = { secretHash: hashOf('rotated 1'), idleExpiresAt: 10 ** 13, repeat: { mark, notBefore: 0 } };
  requireKind(await store.consumeRefreshToken(token, next, now, 0), 'consumed');
  await store.revokeRefreshFamily('revoked', now);
}
