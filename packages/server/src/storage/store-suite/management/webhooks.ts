import { expect } from 'vitest';
import type { ClaimedDelivery, DueWebhook, LastTry, NewWebhook, TryResult, WebhookKey } from '../../contract/webhooks.ts';
import { subscriberIds } from '../../contract/webhooks.ts';
import {
  absent,
  account,
  apiKey,
  type CreateStoreHarness,
  casesOf,
  hashOf,
  newState,
  project,
  version,
  type Weight,
  withStore,
} from '../harness.ts';
import { byOperator as by } from '../records.fixture.ts';

const key: WebhookKey = { accountId: 'acc_1', slug: 'p', webhookId: 'wh_1' };
const host = 'hooks.example.com:443';
const webhook = (change: Partial<NewWebhook> = {}): NewWebhook => ({
  ...key,
  host,
  description: 'A “hook”\u0000',
  events: ['api_key.created', 'schema.changed'],
  environments: ['staging'],
  enabled: true,
  createdAt: 3_000,
  createdBy: { kind: 'developer', id: 'mem_1', name: 'Ada' },
  sealedTarget: Uint8Array.of(1, 2, 3),
  ...change,
});
const bounds = { inFlightMax: 4, perMinuteMax: 600 };
const lastTry: LastTry = {
  at: 11_000,
  host,
  sent: { 'webhook-timestamp': '10' },
  received: [['server', 'caf\u00e9\u0001']],
};
const result = (change: Partial<TryResult> = {}): TryResult => ({
  status: 'delivered',
  dueAt: null,
  responseStatus: 204,
  milliseconds: 12,
  at: 11_000,
  lastTry,
  isGone: false,
  failingBefore: 0,
  ...change,
});

export function webhooks(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { test } = casesOf(weight);
  const at = withStore(createHarness);
  const create = (change: Partial<NewWebhook> = {}, webhooksMax = 10) =>
    at.store.createWebhook(by, webhook(change), webhooksMax);
  const begin = async () => {
    await at.store.createAccount(account());
    await at.store.createProject(by, project());
    expect(await create()).toBe('created');
  };
  const due: DueWebhook = { accountId: 'acc_1', webhookId: 'wh_1', host };
  const claim = (now: number, until = now + 20_000, change: Partial<typeof bounds> = {}) =>
    at.store.claimWebhookDelivery(due, now, until, { ...bounds, ...change });
  const claimed = async (now: number, until?: number): Promise<ClaimedDelivery> => {
    const outcome = await claim(now, until);
    if (outcome.kind !== 'claimed') throw new Error(`nothing was claimed: ${outcome.kind}`);
    return outcome.delivery;
  };
  const list = async (keptMax = 1_000) =>
    (await at.store.listWebhookDeliveries(key, { after: null, itemsMax: 50, status: null, keptMax }))?.items;

  test('a webhook needs its project, comes back unchanged, and is found below its project only', async () => {
    expect(await create()).toBe('no_project');
    expect(await at.store.listWebhooks(key)).toBeUndefined();
    await begin();
    const stored = { ...webhook(), lastDelivery: null, disabledReason: null };
    await at.reopen();
    expect(await at.store.findWebhook(key)).toEqual(stored);
    expect(await at.store.listWebhooks(key)).toEqual([stored]);
    expect(await at.store.findWebhook({ ...key, slug: 'q' })).toBeUndefined();
    expect(await at.store.findWebhook({ ...key, accountId: 'acc_2' })).toBeUndefined();
  });

  test('of parallel creations of the last allowed one, exactly one succeeds', async () => {
    await begin();
    const outcomes = await Promise.all([2, 3, 4].map((n) => create({ webhookId: `wh_${n}` }, 2)));
    expect(outcomes.sort()).toEqual(['created', 'too_many', 'too_many']);
  });

  test('a change replaces a target only if nobody else has replaced it', async () => {
    await begin();
    const target = { sealedTarget: Uint8Array.of(9), replaces: Uint8Array.of(1, 2, 3) };
    const changed = await at.store.updateWebhook(by, key, { host: 'other.example:1', target, enabled: false });
    expect(changed).toMatchObject({ host: 'other.example:1', enabled: false, events: webhook().events });
    expect(await at.store.updateWebhook(by, key, { target })).toBe('raced');
    expect(await at.store.rotateWebhookSecret(by, key, target)).toBe('raced');
    const next = { sealedTarget: Uint8Array.of(8), replaces: Uint8Array.of(9) };
    expect(await at.store.rotateWebhookSecret(by, key, next)).toBe('rotated');
    expect((await at.store.findWebhook(key))?.sealedTarget).toEqual(Uint8Array.of(8));
    expect(await at.store.deleteWebhook(by, key)).toBe('deleted');
    expect(await at.store.deleteWebhook(by, key)).toBe('absent');
    expect(await at.store.updateWebhook(by, key, {})).toBe('absent');
  });

  test('an event is stored for the webhooks that are on and subscribe to it', async () => {
    await begin();
    await create({ webhookId: 'wh_off', enabled: false });
    await create({ webhookId: 'wh_other', events: ['api_key.revoked'] });
    await at.store.createApiKey({ ...by, at: 9_000 }, apiKey('key_1'), hashOf('1'), 10);
    for (const environment of ['development', 'staging'] as const) {
      const next = { mode: 'off', schemaText: '{}', instructions: 0, comment: null, author: null, writtenAt: 1 } as const;
      await at.store.writeSchema(
        { ...by, at: 9_001 },
        { ...key, environment, kind: 'user-state' },
        { kind: 'absent' },
        next,
      );
    }
    expect((await list())?.map(({ type }) => type)).toEqual(['schema.changed', 'api_key.created']);
    expect(await at.store.listDueWebhooks(8_999, 10)).toEqual({ due: [], nextAt: 9_000 });
    expect(await at.store.listDueWebhooks(9_000, 10)).toEqual({ due: [due], nextAt: 9_000 });
    const { type, dataText } = await claimed(9_500);
    expect([type, JSON.parse(dataText)]).toEqual([
      'api_key.created',
      expect.objectContaining({ accountId: 'acc_1', projectSlug: 'p', keyId: 'key_1' }),
    ]);
  });

  test('one node at a time tries a delivery, and another one takes over when the claim has ended', async () => {
    await begin();
    await at.store.addWebhookTest(key, 10_000);
    const beside = await at.openParallel();
    const outcomes = await Promise.all(
      [at.store, beside].map((store) => store.claimWebhookDelivery(due, 10_000, 30_000, bounds)),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['claimed', 'none']);
    expect(await at.store.listDueWebhooks(29_999, 10)).toEqual({ due: [], nextAt: 30_000 });
    const first = outcomes.find((outcome) => outcome.kind === 'claimed')?.delivery as ClaimedDelivery;
    const second = await claimed(30_000, 50_000);
    expect([second.deliveryId, second.attempts]).toEqual([first.deliveryId, 2]);
    expect(await at.store.settleWebhookDelivery(first, result())).toBe('lost');
    expect(await at.store.settleWebhookDelivery(second, result({ at: 31_000 }))).toBe('settled');
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: 2, responseStatus: 204, dueAt: null }]);
    expect((await at.store.findWebhook(key))?.lastDelivery).toMatchObject({ status: 'delivered', milliseconds: 12 });
    expect((await at.store.listDueWebhooks(99_999, 10)).nextAt).toBeUndefined();
  });

  test('a receiver gets so many tries at a time and a minute, over all webhooks', async () => {
    await begin();
    for (let n = 0; n < 4; n++) await at.store.addWebhookTest(key, 10_000 + n);
    const few = { inFlightMax: 2 };
    const [one, two] = [await claim(11_000, 40_000, few), await claim(11_000, 40_000, few)];
    expect([one.kind, two.kind]).toEqual(['claimed', 'claimed']);
    expect(await claim(11_000, 40_000, few)).toEqual({ kind: 'busy', until: 11_250 });
    if (one.kind === 'claimed') await at.store.settleWebhookDelivery(one.delivery, result());
    expect((await claim(11_300, 40_000, few)).kind).toBe('claimed');
    expect(await claim(11_300, 40_000, { perMinuteMax: 3 })).toEqual({ kind: 'busy', until: 71_000 });
    expect((await claim(71_000, 90_000, { perMinuteMax: 3 })).kind).toBe('claimed');
  });

  test('a webhook is switched off when its receiver is gone, or has only failed for long', async () => {
    await begin();
    await at.store.addWebhookTest(key, 10_000);
    const failed = result({ status: 'waiting', dueAt: 12_000, responseStatus: 500 });
    expect(await at.store.settleWebhookDelivery(await claimed(10_000), failed)).toBe('settled');
    const late = result({ status: 'waiting', dueAt: 13_000, at: 12_500, failingBefore: 11_000 });
    expect(await at.store.settleWebhookDelivery(await claimed(12_000), late)).toBe('switched_off');
    expect(await at.store.findWebhook(key)).toMatchObject({ enabled: false, disabledReason: 'failures' });
    expect(await at.store.updateWebhook(by, key, { enabled: true })).toMatchObject({ disabledReason: null });
    const gone = result({ status: 'failed', responseStatus: 410, isGone: true });
    expect(await at.store.settleWebhookDelivery(await claimed(13_000), gone)).toBe('switched_off');
    expect(await at.store.findWebhook(key)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const [{ deliveryId = '' } = {}] = (await list()) ?? [];
    expect(await at.store.retryWebhookDelivery(key, deliveryId, 14_000)).toBe('retried');
    expect(await claimed(14_000)).toMatchObject({ deliveryId, attempts: 4, step: 0 });
    expect(await at.store.retryWebhookDelivery(key, 'msg_other', 14_000)).toBe('absent');
  });

  test('a delivery is found with its last try, and its event until it is delivered', async () => {
    await begin();
    await at.store.addWebhookTest(key, 10_000);
    const first = await claimed(10_000);
    const find = (change: Partial<WebhookKey> = {}) =>
      at.store.findWebhookDelivery({ ...key, ...change }, first.deliveryId);
    expect(await find()).toMatchObject({ delivery: { status: 'waiting', attempts: 1 }, lastTry: null });
    const later = { status: 'waiting', dueAt: 10_010, responseStatus: 500 } as const;
    await at.store.settleWebhookDelivery(first, result(later));
    expect(await find()).toMatchObject({ lastTry, dataText: first.dataText });
    const changed = { ...lastTry, received: null };
    await at.store.settleWebhookDelivery(await claimed(10_010), result({ lastTry: changed }));
    expect(await find()).toMatchObject({ delivery: { status: 'delivered' }, lastTry: changed, dataText: null });
    expect([await find({ slug: 'q' }), await find({ webhookId: 'wh_2' })]).toEqual([undefined, undefined]);
  });

  test('writes of public state are collected until one is tried, and the next waits behind it', async () => {
    await begin();
    const events = ['public_state.changed'] as const;
    await at.store.updateWebhook(by, key, { events, environments: ['staging'] });
    const write = async (environment: 'staging' | 'production', before: number | null, writtenAt: number) => {
      const next = { ...newState('{"a":1}'), writtenAt, subscribers: subscriberIds(['wh_1']) };
      const expected = before === null ? absent : version(before);
      return (await at.store.writePublicState({ accountId: 'acc_1', slug: 'p', environment }, expected, next)).kind;
    };
    expect([await write('production', null, 9_000), await write('staging', null, 10_000)]).toEqual(['written', 'written']);
    expect(await write('staging', 1, 10_001)).toBe('written');
    const first = await claimed(10_002);
    expect([first.fromVersion, first.version, first.environment]).toEqual([0, 2, 'staging']);
    for (const before of [2, 3]) expect(await write('staging', before, 10_003)).toBe('written');
    expect((await list())?.map(({ attempts }) => attempts)).toEqual([0, 1]);
    expect((await claim(10_004)).kind).toBe('none');
    await at.store.completeWebhookDelivery(first, '{"complete":true}');
    const later = { status: 'waiting', dueAt: 10_010, responseStatus: 500, at: 10_005 } as const;
    await at.store.settleWebhookDelivery(first, result(later));
    const again = await claimed(10_010);
    expect([again.deliveryId, again.dataText, again.step]).toEqual([first.deliveryId, '{"complete":true}', 1]);
    await at.store.settleWebhookDelivery(again, result({ at: 10_011 }));
    const second = await claimed(10_012);
    expect([second.fromVersion, second.version]).toEqual([2, 4]);
  });

  test('beyond the limit the oldest are dropped, and counted once', async () => {
    await begin();
    for (let n = 0; n < 6; n++) await at.store.addWebhookTest(key, 10_000 + n, 3);
    const notice = ((await list()) ?? []).filter(({ type }) => type === 'events.dropped');
    expect([(await list())?.length, notice.length]).toEqual([3, 1]);
    const told: ClaimedDelivery[] = [];
    for (let n = 0; n < 3; n++) told.push(await claimed(11_000 + n));
    expect(told.map(({ type, version: count }) => [type, count]).sort()).toEqual([
      ['events.dropped', 4],
      ['test', null],
      ['test', null],
    ]);
  });

  test('a player is created with the first sign-in, and a guest with the first state of a project', async () => {
    await begin();
    await at.store.updateWebhook(by, key, { events: ['player.created'] });
    const person = { subject: 'usr_1', provider: 'password', email: null, name: null };
    for (const now of [10_000, 10_001]) await at.store.admitPlayer(key, person, now);
    const playerId = `guest_${'a'.repeat(22)}`;
    for (const environment of ['staging', 'production'] as const) {
      const next = { stateText: '{}', stateBytes: 2, writtenAt: 10_002, subscribers: subscriberIds(['wh_1']) };
      const outcome = await at.store.writeUserState({ accountId: 'acc_1', slug: 'p', environment, playerId }, absent, next);
      expect(outcome.kind).toBe('written');
    }
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) ids.push(JSON.parse((await claimed(11_000 + n)).dataText).endUserId);
    expect(ids.sort()).toEqual([playerId, 'usr_1']);
    expect((await claim(12_000)).kind).toBe('none');
  });

  test('accounts take turns', async () => {
    await begin();
    await at.store.createAccount(account('acc_2'));
    await at.store.createProject(by, project('p', { accountId: 'acc_2' }));
    for (const n of [2, 3, 4]) {
      await create({ webhookId: `wh_${n}` });
      await at.store.addWebhookTest({ ...key, webhookId: `wh_${n}` }, 10_000 + n);
    }
    await create({ accountId: 'acc_2', webhookId: 'wh_5' });
    await at.store.addWebhookTest({ ...key, accountId: 'acc_2', webhookId: 'wh_5' }, 10_010);
    const order = async () => (await at.store.listDueWebhooks(11_000, 3)).due.map(({ webhookId }) => webhookId);
    expect(await order()).toEqual(['wh_2', 'wh_5', 'wh_3']);
    const others = await at.store.listDueWebhooks(11_000, 3, ['acc_1']);
    expect(others).toMatchObject({ due: [{ webhookId: 'wh_5' }], nextAt: 10_002 });
    await at.store.suspendAccount(by, 'acc_1', 10_500);
    expect(await order()).toEqual(['wh_5']);
  });

  test('old deliveries are removed, and the newest are listed in pages', async () => {
    await begin();
    for (let n = 0; n < 5; n++) await at.store.addWebhookTest(key, 10_000 + n);
    const times = (items: readonly { readonly createdAt: number }[] = []) => items.map(({ createdAt }) => createdAt);
    expect(times(await list(3))).toEqual([10_004, 10_003, 10_002]);
    const page = { status: 'waiting', keptMax: 4, itemsMax: 2 } as const;
    const first = await at.store.listWebhookDeliveries(key, { ...page, after: null });
    const second = await at.store.listWebhookDeliveries(key, { ...page, after: first?.next ?? null });
    expect([times(first?.items), times(second?.items), second?.next]).toEqual([[10_004, 10_003], [10_002, 10_001], null]);
    expect(await at.store.sweepWebhookDeliveries(10_003)).toBe(3);
    expect(times(await list())).toEqual([10_004, 10_003]);
    await at.store.deleteProject(by, key);
    await at.store.createProject(by, project());
    expect([await at.store.findWebhook(key), await at.store.listWebhooks(key)]).toEqual([undefined, []]);
  });

  test('of deliveries that ended in one way, only the newest are kept', async () => {
    await begin();
    for (let n = 0; n < 4; n++) {
      await at.store.addWebhookTest(key, 10_000 + n);
      await at.store.settleWebhookDelivery(
        await claimed(10_000 + n),
        result({ status: n === 0 ? 'failed' : 'delivered' }),
        2,
      );
    }
    await at.store.addWebhookTest(key, 10_004);
    const kept = (await list())?.map(({ createdAt, status }) => [createdAt, status]);
    expect(kept).toEqual([
      [10_004, 'waiting'],
      [10_003, 'delivered'],
      [10_002, 'delivered'],
      [10_000, 'failed'],
    ]);
    expect(await at.store.deleteWebhook(by, key)).toBe('deleted');
    expect(await list()).toBeUndefined();
  });

  test('deliveries are cleared in portions, below the right project, and the rest with the webhook or project', async () => {
    await begin();
    await create({ webhookId: 'wh_2' });
    const other = { ...key, webhookId: 'wh_2' };
    await Promise.all(Array.from({ length: 130 }, (_, n) => at.store.addWebhookTest(key, 10_000 + n)));
    await at.store.addWebhookTest(other, 10_000);
    expect(await at.store.clearWebhookDeliveries({ ...key, slug: 'q' })).toBe(false);
    expect(await at.store.clearWebhookDeliveries(key)).toBe(true);
    // What was cleared waits no more: there is room again.
    await at.store.addWebhookTest(key, 11_000, 3);
    expect((await list())?.some(({ type }) => type === 'events.dropped')).toBe(false);
    expect(await at.store.deleteWebhook(by, key)).toBe('deleted');
    expect(await at.store.clearWebhookDeliveries(key)).toBe(false);
    await at.store.deleteProject(by, key);
    expect(await at.store.clearWebhookDeliveries(other)).toBe(false);
  });

  test('the networks of an account are kept, and reach its claims', async () => {
    expect(await at.store.writeWebhookNetworks(by, 'acc_1', ['10.0.0.0/8'])).toBe('no_account');
    await begin();
    expect(await at.store.readWebhookNetworks('acc_1')).toEqual([]);
    expect(await at.store.writeWebhookNetworks(by, 'acc_1', ['10.0.0.0/8', 'fd00::/8'])).toBe('written');
    await at.store.addWebhookTest(key, 10_000);
    expect((await claimed(10_000)).networks).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });
}
