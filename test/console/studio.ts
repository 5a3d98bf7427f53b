/** A developer's account after some weeks of use: documents, versions, keys and players, with many kinds of text. */
import type { Environment } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import type { RequestFigure } from '../../packages/server/src/storage/contract/usage.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import type { Developer, TestServer } from '../support/server.ts';
import { writeVersions } from './world.ts';

export interface Studio {
  readonly developer: Developer;
  readonly slug: string;
}

const shop = (bow: number, hasLantern: boolean) => ({
  currency: 'gold',
  items: [
    { id: 'sword_iron', price: 120, stock: null, tags: ['weapon', 'starter'] },
    { id: 'bow_yew', price: bow, stock: null, tags: ['weapon'] },
    { id: 'potion_small', price: 15, stock: 999, tags: ['heal'] },
    ...(hasLantern ? [{ id: 'lantern_kelp', price: 340, stock: 25, tags: ['light', 'event'] }] : []),
  ],
  discounts: { weekend: 0.15, firstPurchase: 0.3 },
});
/** Flags with every kind of rule; the last has a typing error. */
export const studioFlags: JsonObject = {
  'new-shop': {
    state: 'ENABLED',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    targeting: {
      if: [
        { $ref: 'tester' },
        'on',
        { and: [{ in: [{ var: 'country' }, ['DE', 'AT', 'CH']] }, { sem_ver: [{ var: 'version' }, '>=', '1.4.0'] }] },
        {
          fractional: [
            ['on', 10],
            ['off', 90],
          ],
        },
      ],
    },
    metadata: { description: 'The shop with categories, tested before the winter season' },
  },
  'gold-per-win': {
    state: 'ENABLED',
    variants: { normal: 10, event: 25 },
    defaultVariant: 'normal',
    targeting: {
      fractional: [
        ['normal', 1],
        ['event', 1],
      ],
    },
  },
  'guild-wars': { state: 'DISABLED', variants: { on: true, off: false }, defaultVariant: 'off' },
  'storm-warning': { state: 'ENABLED', variants: { calm: { wind: 2 }, storm: { wind: 9 } }, defaultVariant: 'calm' },
  odds: {
    state: 'ENABLED',
    variants: { low: 1, high: 2 },
    targeting: { if: [{ '>': [{ '%': [{ var: 'level' }, 2] }, 0] }, 'high', 'low'] },
  },
  cloudReplay: {
    state: 'ENABLED',
    variants: { off: false, event: true },
    defaultVariant: 'off',
    targeting: { if: [{ '==': [{ var: 'country' }, 'DE'] }, 'evnet'] },
  },
};
export const studioEvaluators: JsonObject = { tester: { ends_with: [{ var: 'email' }, '@lanternfish.example'] } };
const document = (step: number): JsonObject => ({
  schema: 3,
  season: { id: 'tides-of-autumn', endsAt: '2026-12-20T18:00:00Z', nameAr: 'مدّ الخريف' },
  features: { darkMode: true, crossPlay: step > 1, guildWars: step > 4 },
  limits: { maxPartySize: step > 2 ? 6 : 4, dailyGifts: 3, worldSeed: 9_007_199_254_740_991 },
  shop: shop(step > 3 ? 260 : 240, step > 2),
  matchmaking: { regions: ['eu-west', 'us-east', ...(step > 1 ? ['ap-south'] : [])], timeoutSeconds: 30 + step },
  news: step > 3 ? [{ title: 'The kelp lantern is here', until: '2026-12-01' }] : [],
  texts: {
    en: { title: 'Sea of Glass', play: 'Set sail', quit: 'Back to the harbour' },
    de: { title: 'Meer aus Glas', play: 'Segel setzen', quit: '' },
  },
  ...(step > 3 && { flags: studioFlags, $evaluators: studioEvaluators }),
});

const comments = [
  'First document of the season',
  'Cross-play and a region in South Asia',
  'Parties of six, and the kelp lantern in the shop',
  'The bow costs more; news about the lantern',
  null,
  'Guild wars from tonight',
];

export async function openStudio(server: TestServer): Promise<Studio> {
  const developer = await server.newDeveloper('Lanternfish Games');
  const post = async (path: string, body: unknown) => {
    const answer = await server.call('POST', path, { headers: developer.bearer, body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json as { apiKey: string; id: string };
  };
  const account = `/v1/${developer.accountId}`;
  await post(`${account}/projects`, { slug: 'prototype-2019', name: 'Prototype (archive)' });
  await post(`${account}/projects`, {
    slug: 'deep-sea-tycoon',
    name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützen-Simulator',
  });
  await post(`${account}/projects`, { slug: 'sea-of-glass', name: 'Sea of Glass' });
  const project = `${account}/projects/sea-of-glass`;
  const { apiKey } = await post(`${project}/api-keys`, { name: 'Build server' });
  await post(`${project}/api-keys`, { name: 'Game client 1.4', kind: 'publishable', access: 'read' });
  const dashboard = { name: 'Live-ops dashboard', access: 'read', environments: ['production'] };
  const hook = { url: 'https://hooks.lanternfish.example/releases', events: ['public_state.changed'] };
  const { id } = await post(`${project}/webhooks`, { ...hook, description: 'Release chat', environments: ['production'] });
  await server.call('POST', `${project}/webhooks/${id}/test`, { headers: developer.bearer });
  await post(`${project}/api-keys`, { ...dashboard, expiresAt: new Date(Date.now() + 60 * 86_400_000).toISOString() });
  const asKey = { Authorization: `ApiKey ${apiKey}` };
  const versions = comments.map((comment, step) => [document(step), comment] as const);
  const path = (env: Environment) => `${project}/public-state/${env}`;
  await writeVersions(server, path('development'), developer.bearer, versions.slice(0, 3));
  await writeVersions(server, path('development'), asKey, versions.slice(3, 4));
  await writeVersions(server, path('development'), developer.bearer, versions.slice(4));
  await writeVersions(server, path('staging'), developer.bearer, versions.slice(0, 4));
  await writeVersions(server, path('production'), asKey, versions.slice(0, 2));
  await openPlayers(server, developer);
  await countDays(server, developer);
  await server.call('PUT', `${project}/auth/end-user/config`, {
    headers: developer.bearer,
    body: {
      enabled: true,
      redirectUris: ['https://seaofglass.example/signed-in', 'com.lanternfish.glass:/callback'],
      allowedIdps: ['password', 'google.com'],
      logoData: null,
      logoMediaType: null,
      primaryColor: '#7a2e8e',
      surfaceColor: '#fffaf5',
      bgColor: '#f3d9c9',
    },
  });
  return { developer, slug: 'sea-of-glass' };
}

const dayMs = 86_400_000;

/** Counts requests for the 29 days before today: more each week, and on weekends. */
async function countDays({ running: { store } }: TestServer, { accountId }: Developer): Promise<void> {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (let ago = 29; ago > 0; ago--) {
    const day = new Date(today - ago * dayMs);
    const requests = 900 + (29 - ago) * 46 + ([0, 6].includes(day.getUTCDay()) ? 700 : 0) + ((ago * 137) % 190);
    const month = Date.UTC(day.getUTCFullYear(), day.getUTCMonth());
    await store.addApiRequests(month, [{ accountId, requests }], day.getTime());
    await countFigures(store, { accountId, dayStartsAt: day.getTime() }, requests, ago);
  }
}

/** Counts a day's requests and errors: a new game build broke rules two weeks ago, and a key was revoked. */
async function countFigures(
  store: Store,
  place: Pick<RequestFigure, 'accountId' | 'dayStartsAt'>,
  requests: number,
  ago: number,
): Promise<void> {
  const [own, other] = ['sea-of-glass', ''];
  const share = (part: number) => Math.round(requests * part);
  const broken = ago < 16 && ago > 10 ? share(0.06) : share(0.004);
  const counts = [
    [own, 'end_user', 'version_conflict', share(0.011)],
    [own, 'end_user', 'validation_error', broken],
    [own, 'end_user', 'rate_limited', ago === 12 ? 38 : 0],
    [own, 'key_revoked', '', ago > 20 ? share(0.12) : 0],
    [own, 'key_revoked', 'forbidden', ago > 20 ? 9 : 0],
    [own, 'developer', '', share(0.05)],
    [own, 'developer', 'patch_path_not_found', ago % 4 === 0 ? 3 : 0],
    [other, 'developer', 'not_found', ago % 7 === 0 ? 2 : 0],
  ] as const;
  const counted = counts.reduce((sum, [, , , count]) => sum + count, 0);
  await store.addRequestFigures(
    [...counts, [own, 'end_user', '', requests - counted] as const].flatMap(([slug, caller, code, count]) =>
      count > 0 ? [{ ...place, slug, caller, code, requests: count }] : [],
    ),
  );
}

const players = [
  'usr_7fK2mQ9xT4bL0cVn3RzYpW',
  'steam:76561198012345678',
  'لاعب-الأعماق',
  'ada@example.com',
  'guest-000417',
];

async function openPlayers(server: TestServer, { accountId }: Developer): Promise<void> {
  for (const [index, userId] of players.entries()) {
    for (const environment of index === 0 ? (['development', 'production'] as const) : (['development'] as const)) {
      const token = await server.running.accessTokens.signPlayerToken({
        accountId,
        slug: 'sea-of-glass',
        environment,
        userId,
        seconds: 900,
        email: undefined,
        name: undefined,
      });
      const state = { level: 3 * index + 1, gold: 125 * (index + 2), inventory: ['sword_iron', 'potion_small'], pets: {} };
      const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': '*' };
      const ops = [{ op: 'add', path: '', value: state }];
      const address = `/v1/${accountId}/projects/sea-of-glass/user-state/${environment}`;
      const answer = await server.call('PATCH', address, { headers, body: { ops } });
      if (answer.status !== 200) throw new Error(answer.text);
    }
  }
}
