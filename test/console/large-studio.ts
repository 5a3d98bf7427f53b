/**
 * A studio's account with the data of a live game: a large document with 126 versions by five people, 300 players, 56 projects, proposals, and
 * two webhooks, of which one fails.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JsonObject, printJson } from '@holdfast/json';
import { hashSecret, randomSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { Developer, TestServer } from '../support/server.ts';
import { planChanges } from './planned-changes.ts';
import { openStudio, type Studio, studioEvaluators, studioFlags } from './studio.ts';
import { writeVersions } from './world.ts';

const charactersExact = 111_448;
const versionCount = 126;
/** The step of the last version of development. */
const lastStep = 304;
const playerCount = 300;
const projectCount = 56;
/** Parts of the document that the steps change in turn. */
const questCount = 430;

const words = ['tide', 'kelp', 'iron', 'coral', 'pearl', 'storm', 'amber', 'salt', 'brine', 'reef', 'gull', 'anchor'];
const wordOf = (index: number): string => words[index % words.length] ?? '';
const flagNames = [
  'tradeMarket',
  'voiceChat',
  'dailyQuests',
  'newTutorial',
  'rankedDuels',
  'petSystem',
  'photoMode',
  'seaStorms',
];

/** Sixty flags. */
const largeFlags: JsonObject = {
  ...studioFlags,
  ...Object.fromEntries(
    Array.from({ length: 54 }, (_, index) => [
      `${flagNames[index % flagNames.length]}_${wordOf(index * 5 + Math.floor(index / 24))}`,
      {
        state: index % 5 === 0 ? 'DISABLED' : 'ENABLED',
        variants: { on: true, off: false },
        defaultVariant: index % 3 === 0 ? 'on' : 'off',
      },
    ]),
  ),
};

const largeTexts: JsonObject = Object.fromEntries(
  ['shop', 'map', 'crew', 'quests', 'settings', 'credits', 'harbour', 'storage', 'news', 'friends'].map((name) => [
    `menu_${name}`,
    name.replace(/^./, (letter) => letter.toUpperCase()),
  ]),
);
const germanTexts = { menu_shop: 'Laden', menu_map: 'Karte', menu_crew: 'Mannschaft', menu_harbour: '' };

/** Returns the document after this many steps. Each changes a reward; some also switch a feature or change a price. */
function largeDocument(step: number): JsonObject {
  const changed = (index: number) => Math.floor((step + questCount - 1 - index) / questCount);
  const quests = Array.from({ length: questCount }, (_, index) => ({
    id: `${wordOf(index)}_${wordOf(index * 7 + 3)}_${index}`,
    title: `The ${wordOf(index + 2)} and the ${wordOf(index * 5 + 1)}`,
    reward: { gold: 40 + index * 5 + 20 * changed(index), xp: 100 + index },
    requires: { level: 1 + (index % 40), items: [`${wordOf(index + 4)}_charm`, `${wordOf(index + 9)}_key`] },
    regions: ['eu-west', 'us-east', 'ap-south'].slice(0, 1 + (index % 3)),
    isRepeatable: index % 4 === 0,
  }));
  const enemies = Object.fromEntries(
    Array.from({ length: 180 }, (_, index) => [
      `${wordOf(index)}_${wordOf(Math.floor(index / 12) + 5)}_${index}`,
      { hp: 100 + index * 3, speed: 0.5 + (index % 20) / 10, drops: { gold: [index, index * 2], chance: 0.05 } },
    ]),
  );
  const sold = Array.from({ length: 36 }, (_, index) => ({
    id: `${wordOf(index * 5)}_${['bow', 'sword', 'charm'][index % 3]}_${index}`,
    price: 60 + index * 15,
    stock: index % 4 === 0 ? null : 20 + index,
    tags: [index % 3 === 2 ? 'magic' : 'weapon'],
  }));
  const document = {
    schema: 3,
    season: { id: 'tides-of-autumn', endsAt: '2026-12-20T18:00:00Z', nameAr: 'مدّ الخريف' },
    features: {
      darkMode: true,
      crossPlay: step > 150,
      guildWars: step > 250,
      ...Object.fromEntries(flagNames.map((name, index) => [name, step > 200 !== (index % 3 === 0)])),
    },
    limits: { maxPartySize: 6, dailyGifts: 3, worldSeed: 9_007_199_254_740_991, inventorySlots: step > 280 ? 80 : 60 },
    shop: {
      currency: 'gold',
      items: [
        { id: 'sword_iron', price: 120, stock: null, tags: ['weapon', 'starter'] },
        { id: 'bow_yew', price: step > 220 ? 420 : 300, stock: null, tags: ['weapon'] },
        { id: 'potion_small', price: 15, stock: 999, tags: ['heal'] },
        ...(step > 240 ? [{ id: 'lantern_kelp', price: 340, stock: 25, tags: ['light', 'event'] }] : []),
        ...sold,
      ],
      discounts: { weekend: 0.15, firstPurchase: 0.3 },
    },
    matchmaking: { regions: ['eu-west', 'us-east', 'ap-south'], timeoutSeconds: 35 },
    texts: { en: largeTexts, de: { ...largeTexts, ...germanTexts }, fr: { ...largeTexts, menu_shop: '', menu_map: '' } },
    quests,
    enemies,
    ...(step > 250 && { flags: largeFlags, $evaluators: studioEvaluators }),
  };
  const missing = charactersExact - printJson({ ...document, motd: '' }).length;
  if (missing < 0) throw new Error(`the document is ${-missing} characters too large`);
  const motd = 'Storms at sea this weekend: double pearls for every crew. '
    .repeat(Math.ceil(missing / 58))
    .slice(0, missing);
  return { ...document, motd };
}

const comments = [
  'Balance: more gold for early quests',
  null,
  'Autumn event, second week',
  'Fix the reward that QA found (#4127)',
  'Rewards as in the sheet “Economy 2.4”',
  null,
  'Roll back the storm week, players could not finish it in time and support had eighty tickets before noon',
];

export async function openLargeStudio(server: TestServer): Promise<Studio> {
  const { developer, slug } = await openStudio(server);
  const path = `/v1/${developer.accountId}/projects/${slug}/public-state`;
  await openTeam(server, developer);
  const authors = await Promise.all([0, 1, 2, 3].map((index) => memberOf(server, developer, index)));
  await openSchemas(server, developer, slug);
  await openWebhook(server, developer, slug);
  for (let version = 6; version < versionCount; version++) {
    const step = lastStep - versionCount + version + 1;
    const headers = authors[Math.floor(step / 3) % 5] ?? developer.bearer;
    await writeVersions(server, `${path}/development`, headers, [
      [largeDocument(step), comments[step % comments.length] ?? null],
    ]);
  }
  await writeVersions(server, `${path}/staging`, developer.bearer, [[largeDocument(204), 'Second test of the storm week']]);
  for (const step of [151, 152])
    await writeVersions(server, `${path}/production`, authors[0] ?? {}, [[largeDocument(step), null]]);
  await openProjects(server, developer);
  await openCrowd(server, developer, slug);
  const approvals = { headers: developer.bearer, body: { requiredApprovals: { staging: 1 } } };
  await expectDone(server.call('PATCH', `/v1/${developer.accountId}/projects/${slug}`, approvals));
  await planChanges(server, { developer, slug }, authors.slice(0, 2));
  return { developer, slug };
}

/** Creates a webhook with a receiver on loopback, which accepts what it gets. It keeps no process running. */
async function openWebhook(server: TestServer, { accountId, bearer: headers }: Developer, slug: string): Promise<void> {
  const receiver = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((resolve) => receiver.listen(0, 'localhost', resolve));
  receiver.unref();
  const { port } = receiver.address() as AddressInfo;
  const events = ['public_state.changed', 'schema.changed', 'proposal.apply'];
  const body = {
    url: `http://localhost:${port}/builds`,
    events,
    description: 'Build server',
    environments: ['development'],
  };
  await expectDone(server.call('POST', `/v1/${accountId}/projects/${slug}/webhooks`, { headers, body }));
}

/** Headers of a member whom `openTeam` created. */
async function memberOf({ running }: TestServer, { accountId }: Developer, index: number): Promise<Record<string, string>> {
  const name = people[index];
  const of = { accountId, subject: `member-${index}`, seconds: 900 };
  return { Authorization: `Bearer ${await running.accessTokens.signDeveloperToken({ ...of, ...(name && { name }) })}` };
}

async function openProjects(server: TestServer, developer: Developer): Promise<void> {
  for (let index = 3; index < projectCount; index++) {
    const name = `${wordOf(index).replace(/^./, (letter) => letter.toUpperCase())} ${wordOf(index * 5 + 2)} ${index}`;
    const body = { slug: name.toLowerCase().replaceAll(' ', '-'), name };
    await expectDone(server.call('POST', `/v1/${developer.accountId}/projects`, { headers: developer.bearer, body }));
  }
}

const people = [
  'Ada Byron',
  'Grace Hopper',
  'Hedy Lamarr',
  'Mae Jemison',
  'Ida Rhodes',
  'Karen Jones',
  'Joan Clarke',
  'Lise Meitner',
];

/** Creates signed-in players, most of them with a save. */
async function openCrowd(server: TestServer, { accountId }: Developer, slug: string): Promise<void> {
  const { store, accessTokens } = server.running;
  const environment = 'production';
  for (let index = 0; index < playerCount; index++) {
    const called = people[index % people.length] ?? '';
    const name = index % 5 === 4 ? null : `${called} ${Math.floor(index / people.length) + 1}`;
    const email = index % 3 === 2 ? null : `${called.toLowerCase().replace(' ', '.')}.${index}@example.com`;
    const subject = index % 7 === 6 ? `steam:7656119801234${5000 + index}` : `usr_${randomSecret().slice(0, 22)}`;
    const provider = ['password', 'google.com', 'apple.com', 'oidc.steam'][index % 4] ?? 'password';
    const at = Date.now() - index * index * 40_000;
    const admitted = await store.admitPlayer({ accountId, slug }, { subject, provider, email, name }, at);
    if (admitted.kind !== 'admitted') throw new Error(`the player was not admitted: ${admitted.kind}`);
    if (index % 10 === 9) continue;
    const userId = admitted.playerId;
    const token = await accessTokens.signPlayerToken({ accountId, slug, environment, userId, seconds: 900 });
    const state = {
      level: 1 + (index % 60),
      gold: index * 37,
      inventory: ['sword_iron'],
      trophies: [`${wordOf(index)}_cup`],
    };
    const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': '*' };
    const body = { ops: [{ op: 'add', path: '', value: state }] };
    await expectDone(
      server.call('PATCH', `/v1/${accountId}/projects/${slug}/user-state/${environment}`, { headers, body }),
    );
  }
}

/** Creates members of several roles, open invitations, and service accounts. */
export async function openTeam(server: TestServer, { accountId, bearer: headers }: Developer): Promise<void> {
  const { store } = server.running;
  for (const [index, role] of (['owner', 'admin', 'editor', 'editor', 'support', 'viewer'] as const).entries()) {
    const environments = role === 'editor' ? (['development', 'staging'] as const) : null;
    const by = { ...byOperator, at: Date.now() };
    const { token } = await invite(store, by, { ...ofOperator, accountId, role, environments });
    const name = people[index] ?? null;
    const claims = { email: `${name?.toLowerCase().replace(' ', '.')}@lanternfish.example`, name };
    const joined = await store.acceptInvitation(
      by,
      hashSecret(token),
      builtInIssuerName,
      `member-${index}`,
      claims,
      Date.now(),
      1_000,
    );
    if (joined.kind !== 'joined') throw new Error(`the member did not join: ${joined.kind}`);
  }
  const post = (path: string, body: JsonObject) =>
    expectDone(server.call('POST', `/v1/${accountId}/${path}`, { headers, body }));
  await post('invitations', { role: 'support', email: 'a.rather.long.address.of.a.contractor@studio-am-meer.example' });
  await post('invitations', { role: 'viewer' });
  await post('service-accounts', { name: 'Deploy from GitHub', role: 'editor', environments: ['staging', 'production'] });
  await post('service-accounts', { name: 'Matchmaking server', role: 'server' });
}

/** Creates a schema of each kind: one that has reported violations for a while, and one with several versions. */
export async function openSchemas(server: TestServer, { accountId, bearer }: Developer, slug: string): Promise<void> {
  const at = (env: string, kind: string) => `/v1/${accountId}/projects/${slug}/schemas/${env}/${kind}`;
  const put = (path: string, version: number, body: JsonObject) => {
    const condition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    return expectDone(server.call('PUT', path, { headers: { ...bearer, ...condition }, body }));
  };
  const price = { type: 'integer', minimum: 1 };
  const shop = {
    type: 'object',
    properties: { items: { type: 'array', items: { required: ['id'], properties: { price } } } },
  };
  const first = { type: 'object', properties: { shop } };
  const limits = { type: 'object', properties: { maxPartySize: { type: 'integer', maximum: 8 } } };
  const reward = { properties: { gold: { type: 'integer', maximum: 800 } } };
  const quests = { type: 'array', items: { properties: { reward } } };
  const second = { ...first, required: ['season'], properties: { shop, limits, quests } };
  await put(at('development', 'public-state'), 0, { mode: 'report', schema: first, comment: 'prices are whole numbers' });
  await put(at('development', 'public-state'), 1, { mode: 'report', schema: second, comment: 'quests and parties' });
  await put(at('staging', 'public-state'), 0, { mode: 'report', schema: first, comment: null });
  const gold = { type: 'integer', minimum: 0, 'x-write': 'server' };
  const level = { type: 'integer', maximum: 50, 'x-increase-max': 1, 'x-decrease-max': 0 };
  const trophies = { type: 'array', 'x-append-only': true };
  const save = { type: 'object', required: ['level'], properties: { gold, level, trophies } };
  await put(at('production', 'user-state'), 0, { mode: 'report', schema: save, comment: 'gold comes from the server' });
}

async function expectDone(answering: ReturnType<TestServer['call']>): Promise<void> {
  const { status, text } = await answering;
  if (status >= 300) throw new Error(`${status}: ${text.slice(0, 200)}`);
}
