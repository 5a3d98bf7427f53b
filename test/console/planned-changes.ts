/** Proposals of a studio: scheduled, in force until a time, in conflict, ready, withdrawn; some overlap in time. */
import type { Environment } from '@holdfast/contract';
import type { JsonValue } from '@holdfast/json';
import { expectStatus } from '../../tooling/api.ts';
import type { TestServer } from '../support/server.ts';
import type { Studio } from './studio.ts';

type Headers = Readonly<Record<string, string>>;

interface Planned {
  readonly env: Environment;
  readonly comment: string;
  readonly path: string;
  readonly value: JsonValue;
  /** Days from now. */
  readonly applies?: number;
  readonly reverts?: number;
  /** A version whose value has changed since; the current one by default. */
  readonly baseVersion?: number;
  readonly ends?: 'applied' | 'withdrawn';
}

const planned: readonly Planned[] = [
  { env: 'development', comment: 'Wait a little longer for a match', path: '/matchmaking/timeoutSeconds', value: 40 },
  {
    env: 'development',
    comment: 'No discount on weekdays',
    path: '/shop/discounts/weekend',
    value: 0,
    ends: 'withdrawn',
  },
  {
    env: 'development',
    comment: 'Shorter matchmaking, as tested',
    path: '/matchmaking/timeoutSeconds',
    value: 20,
    baseVersion: 3,
  },
  {
    env: 'development',
    comment: 'Half off the first purchase for two days',
    path: '/shop/discounts/firstPurchase',
    value: 0.5,
    reverts: 1.4,
    ends: 'applied',
  },
  {
    env: 'development',
    comment: 'Larger parties for two days',
    path: '/limits/maxPartySize',
    value: 8,
    applies: 2,
    reverts: 4,
  },
  {
    env: 'development',
    comment: 'Half price for nine days',
    path: '/shop/discounts/weekend',
    value: 0.5,
    applies: 3,
    reverts: 12,
  },
  { env: 'staging', comment: 'The winter season starts', path: '/season/id', value: 'winter-lights', applies: 6.5 },
  {
    env: 'production',
    comment: 'Double gifts for the holidays',
    path: '/limits/dailyGifts',
    value: 6,
    applies: 20,
    reverts: 39,
  },
  {
    env: 'production',
    comment: 'Parties of eight over New Year',
    path: '/limits/maxPartySize',
    value: 8,
    applies: 30,
    reverts: 34,
  },
];

const timeAfter = (days: number | undefined): string | null =>
  days === undefined ? null : new Date(Math.round((Date.now() + days * 86_400_000) / 60_000) * 60_000).toISOString();

/** Proposes these changes. `authors` take turns, by environment; without one, the developer is the author of all. */
export async function planChanges(
  server: TestServer,
  { developer, slug }: Studio,
  authors: readonly Headers[] = [],
): Promise<void> {
  const call = async (method: string, path: string, headers: Headers, body?: object) =>
    expectStatus(await server.call(method, path, { headers, body }), 200, 201, 204);
  for (const [index, plan] of planned.entries()) {
    const headers = authors[index % authors.length] ?? developer.bearer;
    const state = `/v1/${developer.accountId}/projects/${slug}/public-state/${plan.env}`;
    const { env: _, path, value, comment, applies, reverts, ends } = plan;
    const { version } = (await call('GET', state, headers)).json as { version: number };
    const body = {
      baseVersion: plan.baseVersion ?? version,
      ops: [{ op: 'replace', path, value }],
      comment,
      applyAt: timeAfter(applies),
    };
    const made = await call('POST', `${state}/proposals`, headers, { ...body, revertAt: timeAfter(reverts) });
    const { id } = made.json as { id: string };
    if (ends === 'applied') await call('POST', `${state}/proposals/${id}/apply`, headers, { revision: 1, comment: null });
    if (ends === 'withdrawn') await call('DELETE', `${state}/proposals/${id}`, headers);
  }
}
