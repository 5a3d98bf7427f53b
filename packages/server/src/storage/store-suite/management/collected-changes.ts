import { expect } from 'vitest';
import type { ClaimedDelivery } from '../../contract/webhooks.ts';
import { subscriberIds } from '../../contract/webhooks.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  casesOf,
  newState,
  project,
  version,
  type Weight,
  withStore,
} from '../harness.ts';
import { byOperator as by } from '../records.fixture.ts';

const accountId = 'acc_1';
const host = 'hooks.example.com:443';
const bounds = { inFlightMax: 8, perMinuteMax: 1_000_000 };
const author = (id: string) => ({ kind: 'developer', id, providerId: null, name: null }) as const;

/** Changes of public state that wait for webhooks, and take in what comes until they are first tried. */
export function collectedChanges(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { test } = casesOf(weight);
  const at = withStore(createHarness);
  const keyOf = (webhookId: string) => ({ accountId, slug: 'p', webhookId });
  const create = (webhookId: string) =>
    at.store.createWebhook(
      by,
      {
        ...keyOf(webhookId),
        host,
        description: '',
        events: ['public_state.changed'],
        environments: null,
        enabled: true,
        createdAt: 3_000,
        createdBy: { kind: 'developer', id: 'mem_1', name: 'Ada' },
        sealedTarget: Uint8Array.of(1),
      },
      10,
    );
  const begin = async () => {
    await at.store.createAccount(account());
    await at.store.createProject(by, project());
    await create('wh_1');
  };
  const write = async (before: number, subscribers = 'wh_1', by = 'mem_1') => {
    const next = {
      ...newState(`{"n":${before}}`, `to ${before + 1}`),
      writtenAt: 10_000 + before,
      subscribers: subscriberIds(subscribers.split(',')),
      author: author(by),
    };
    const expected = before === 0 ? absent : version(before);
    return (await at.store.writePublicState({ accountId, slug: 'p', environment: 'production' }, expected, next)).kind;
  };
  const claim = async (webhookId = 'wh_1', now = 20_000): Promise<ClaimedDelivery | undefined> => {
    const due = { accountId, webhookId, host };
    const outcome = await at.store.claimWebhookDelivery(due, now, now + 20_000, bounds);
    return outcome.kind === 'claimed' ? outcome.delivery : undefined;
  };
  const delivered = (delivery: ClaimedDelivery, now = 20_000) =>
    at.store.settleWebhookDelivery(delivery, {
      status: 'delivered',
      dueAt: null,
      responseStatus: 204,
      milliseconds: 1,
      at: now,
      lastTry: { at: now, host, sent: {}, received: null },
      isGone: false,
      failingBefore: 0,
    });
  const range = (delivery: ClaimedDelivery | undefined) => delivery && [delivery.fromVersion, delivery.version];
  const list = async (webhookId = 'wh_1') =>
    (await at.store.listWebhookDeliveries(keyOf(webhookId), { after: null, itemsMax: 10, status: null, keptMax: 1_000 }))
      ?.items;

  test('a claim tells the last version, with its author and comment', async () => {
    await begin();
    for (const before of [0, 1, 2]) expect(await write(before, 'wh_1', `mem_${before}`)).toBe('written');
    const first = await claim();
    expect(range(first)).toEqual([0, 3]);
    expect(JSON.parse(first?.dataText ?? '')).toMatchObject({
      projectSlug: 'p',
      environment: 'production',
      author: { id: 'mem_2' },
      comment: 'to 3',
    });
    for (const before of [3, 4]) expect(await write(before)).toBe('written');
    expect(await claim()).toBeUndefined();
    await delivered(first as ClaimedDelivery);
    expect(range(await claim())).toEqual([3, 5]);
  });

  test('each webhook is told of every version since it listens, whatever the writer knows of it', async () => {
    await begin();
    expect(await write(0)).toBe('written');
    await create('wh_2');
    expect(await write(1, 'wh_1,wh_2')).toBe('written');
    expect(await write(2, 'wh_1,wh_2')).toBe('written');
    expect([range(await claim()), range(await claim('wh_2'))]).toEqual([
      [0, 3],
      [1, 3],
    ]);
    // The writer has not heard of the second webhook yet, and the first one is off.
    await at.store.updateWebhook(by, keyOf('wh_1'), { enabled: false });
    expect(await write(3)).toBe('written');
    expect([(await list())?.length, (await list('wh_2'))?.length]).toEqual([1, 2]);
  });

  test('a change that is swept is followed by another, and clearing and dropping leave those that collect', async () => {
    await begin();
    expect([await write(0), await write(1)]).toEqual(['written', 'written']);
    expect(await at.store.clearWebhookDeliveries(keyOf('wh_1'))).toBe(false);
    for (let n = 0; n < 3; n++) await at.store.addWebhookTest(keyOf('wh_1'), 11_000, 2);
    const kept = (await list())?.map(({ type }) => type).sort();
    expect(kept).toEqual(['events.dropped', 'public_state.changed']);
    expect(await at.store.sweepWebhookDeliveries(12_000)).toBe(2);
    expect([await write(2), await write(3)]).toEqual(['written', 'written']);
    expect(range(await claim())).toEqual([2, 4]);
  });

  test('a webhook that is deleted while events come leaves none behind', async () => {
    await begin();
    for (let before = 0; before < 12; before += 1) {
      const webhookId = `wh_of_${before}`;
      await create(webhookId);
      const deleting = at.store.deleteWebhook(by, keyOf(webhookId));
      expect(await Promise.all([write(before, webhookId), deleting])).toEqual(['written', 'deleted']);
      // The same id again shows what was left.
      await create(webhookId);
      expect(await list(webhookId)).toEqual([]);
      await at.store.deleteWebhook(by, keyOf(webhookId));
    }
  });

  test('no version is lost between writes and claims at the same time', async () => {
    await begin();
    const writes = 60;
    let isOver = false;
    const told: (number | null)[][] = [];
    const tell = async () => {
      const delivery = await claim();
      if (delivery === undefined) return false;
      told.push([delivery.fromVersion, delivery.version]);
      await delivered(delivery);
      return true;
    };
    const telling = async () => {
      while (!isOver) await tell();
      while (await tell());
    };
    const writing = async () => {
      for (let before = 0; before < writes; before++) expect(await write(before)).toBe('written');
      isOver = true;
    };
    await Promise.all([writing(), telling()]);
    expect(told.map(([from]) => from)).toEqual([0, ...told.slice(0, -1).map(([, to]) => to)]);
    expect(told.at(-1)?.[1]).toBe(writes);
    expect(told.length).toBeGreaterThan(1);
  });
}
