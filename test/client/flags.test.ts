/** Flags of a client, and its provider in OpenFeature's web SDK, against a real service. */
import {
  type Auth,
  type Client,
  createClient,
  type FlagValues,
  HoldfastError,
  type KeyedOptions,
  memoryStorage,
  offlineCache,
  type TextStorage,
  type User,
} from '@holdfast/client';
import { flagProvider } from '@holdfast/client/flags';
import { OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ClientWorld, openClientWorld, outOfReach } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(async () => {
  await OpenFeature.close();
  await world.server.stop();
});

const tester = { if: [{ ends_with: [{ var: 'email' }, '@studio.example'] }, 'on', null] };
const isAda = { if: [{ '==': [{ var: 'targetingKey' }, 'ada'] }, 'on', null] };
const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
const goldFlag = (variant: string) => ({ state: 'ENABLED', variants: { few: 10, many: 25 }, defaultVariant: variant });
const document = (gold: string, more: object = {}) => ({
  flags: { shop: { ...onOff, targeting: tester }, ada: { ...onOff, targeting: isAda }, gold: goldFlag(gold), ...more },
});

/** Creates a project with flags and a key. `write` saves the next version, `statuses` records evaluations. */
async function newFlags() {
  const project = await world.newProject();
  const path = `${project.path}/public-state/production`;
  let version = 0;
  const write = async (state: object): Promise<void> => {
    const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const headers = { ...project.developer.bearer, ...precondition };
    const { status } = await world.server.call('PUT', path, { headers, body: { state } });
    expect(status).toBe(200);
    version++;
  };
  await write(document('few'));
  const { apiKey } = await world.server.newApiKey(project, { kind: 'publishable' });
  const statuses: number[] = [];
  const network = { isDown: false };
  const reach: typeof fetch = async (input, init) => {
    if (network.isDown) throw new TypeError('no network');
    const response = await fetch(input, init);
    if (String(input).endsWith('/ofrep/v1/evaluate/flags')) statuses.push(response.status);
    return response;
  };
  const open = (more: KeyedOptions = {}) => createClient(world.server.baseUrl, apiKey, { fetch: reach, ...more });
  const tokenOf = (userId: string) =>
    world.server.running.accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'production',
      userId,
      seconds: 900,
    });
  return { project, apiKey, write, statuses, network, open, tokenOf };
}

/** Subscribes to flags. Returns the received values, and a function that unsubscribes. */
function listen(client: Client, options: Parameters<Client['flags']['subscribe']>[1] = {}) {
  const told: FlagValues[] = [];
  const end = client.flags.subscribe((values) => told.push(values), { spreadMs: 20, ...options });
  return { told, end };
}

describe('flags of a client', () => {
  test('are evaluated once for a context', async () => {
    const { open } = await newFlags();
    const { flags } = open();
    const values = await flags.evaluate({ email: 'ada@studio.example' });
    expect(values.stale).toBe(false);
    expect([values.value('shop', false), values.value('gold', 1), values.value('none', 'x')]).toEqual([true, 10, 'x']);
    expect(values.value('gold', 'a text')).toBe('a text');
    expect(values.flags.get('gold')).toMatchObject({ value: 10, variant: 'few', reason: 'STATIC' });
    expect((await flags.evaluate()).value('shop', true)).toBe(false);
    const refused = flags.evaluate({ much: 'x'.repeat(20_000) });
    await expect(refused).rejects.toMatchObject({ code: 'payload_too_large', status: 413 });
    await expect(flags.evaluate({ count: 1n })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('are evaluated again only if the flags of the document change', async () => {
    const { open, write, statuses } = await newFlags();
    const { told, end } = listen(open());
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]?.changed).toEqual(['shop', 'ada', 'gold']);
    const asked = statuses.length;
    await write({ ...document('few'), motd: 'what else it holds' });
    await write({ ...document('few'), motd: 'again' });
    await write(document('many'));
    await expect.poll(() => told).toHaveLength(2);
    expect([told[1]?.changed, told[1]?.value('gold', 0)]).toEqual([['gold'], 25]);
    expect(statuses.length - asked).toBe(1);
    // A changed rule with the same result here.
    await write(document('many', { gold: { ...goldFlag('many'), variants: { few: 11, many: 25 } } }));
    await expect.poll(() => statuses.at(-1)).toBe(304);
    end();
    await write(document('few'));
    expect(told).toHaveLength(2);
  });

  test('are requested no more often than the limit allows, however often the document changes', async () => {
    const { open, write, statuses } = await newFlags();
    const spreadMs = 400;
    const { told, end } = listen(open(), { spreadMs });
    await expect.poll(() => told).toHaveLength(1);
    const [begun, asked] = [Date.now(), statuses.length];
    for (let n = 0; n < 20; n++) await write(document(n % 2 === 0 ? 'few' : 'many', { [`flag-${n}`]: onOff }));
    await expect.poll(() => told.at(-1)?.flags.has('flag-19')).toBe(true);
    expect(statuses.length - asked).toBeLessThanOrEqual(1 + (Date.now() - begun) / spreadMs);
    end();
  });

  test('are those of the signed-in player, or of the key if nobody is signed in', async () => {
    const { open, tokenOf, network } = await newFlags();
    const tokens = new Map([['ada', await tokenOf('ada')], ['eve', await tokenOf('eve')]]); // biome-ignore format: one line
    const session = switchable(tokens);
    const { told, end } = listen(open({ auth: session.auth, timeoutMs: 1_500 }), { context: { targetingKey: 'ada' } });
    await expect.poll(() => told.at(-1)?.value('ada', false)).toBe(true); // the service trusts the context of a key
    session.become('eve');
    await expect.poll(() => told.at(-1)?.value('ada', true)).toBe(false);
    session.become('ada');
    await expect.poll(() => told.at(-1)?.value('ada', false)).toBe(true);
    // Eve does not see Ada's flags while the service is unreachable.
    network.isDown = true;
    session.become('eve');
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ stale: true, flags: new Map() }), { timeout: 60_000 });
    end();
  });

  test('come from the cache while offline, for the same player and context only', async () => {
    const { open, network, tokenOf } = await newFlags();
    const storage = memoryStorage();
    const cache = () => offlineCache({ storage });
    const [ada, eve] = [await tokenOf('ada'), await tokenOf('eve')];
    const context = { email: 'ada@studio.example' };
    expect((await open({ cache: cache(), auth: { accessToken: ada } }).flags.evaluate(context)).stale).toBe(false);
    network.isDown = true;
    const later = open({ cache: cache(), auth: { accessToken: ada }, timeoutMs: 5_000 });
    const values = await later.flags.evaluate(context);
    expect([values.stale, values.value('shop', false)]).toEqual([true, true]);
    const { told, end } = listen(later, { context });
    await expect.poll(() => told.at(-1)?.value('shop', false)).toBe(true);
    end();
    for (const [accessToken, other] of [
      [ada, {}],
      [eve, context],
    ] as const) {
      // biome-ignore format: one line
      const client = open({ cache: cache(), auth: { accessToken } });
      await expect(client.flags.evaluate(other, { timeoutMs: 300 })).rejects.toMatchObject(outOfReach);
    }
  });

  test('report a refusal of the service', async () => {
    const { project, open } = await newFlags();
    const { id, apiKey } = await world.server.newApiKey(project, { kind: 'publishable' });
    const client = createClient(world.server.baseUrl, apiKey);
    expect((await client.flags.evaluate()).flags.size).toBe(3);
    await world.server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
    const onError = vi.fn();
    listen(client, { onError });
    await vi.waitFor(() => expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'unauthorized' })), {
      timeout: 60_000,
    });
    const ended = AbortSignal.abort();
    const { told } = listen(open(), { signal: ended });
    await open().flags.evaluate();
    expect(told).toEqual([]);
  });
});

/** Sign-in under the test's control. */
function switchable(tokens: ReadonlyMap<string, string>) {
  const listeners = new Set<(user: User | null) => void>();
  let user: User | null = null;
  const auth: Auth = {
    get user() {
      return user;
    },
    ready: Promise.resolve(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async authorization() {
      if (user === null) throw new HoldfastError('signed_out', 'nobody is signed in');
      return `Bearer ${tokens.get(user.id)}`;
    },
    renew: async () => false,
  };
  return {
    auth,
    become(id: string): void {
      user = { id, role: 'end_user', accountId: 'acc_1', email: undefined, name: undefined };
      for (const listener of listeners) listener(user);
    },
  };
}

describe('the provider for OpenFeature', () => {
  /** Sets a provider for a separate domain. Returns OpenFeature's client for it, and its events. */
  async function begin(domain: string, client: Client, context = {}, patienceMs = 30_000) {
    await OpenFeature.setContext(domain, context);
    const flags = OpenFeature.getClient(domain);
    const events: string[] = [];
    for (const event of Object.values(ProviderEvents)) flags.addHandler(event, () => events.push(event));
    const provider: Provider = flagProvider(client, { spreadMs: 20, patienceMs });
    const set = OpenFeature.setProviderAndWait(domain, provider);
    return { flags, events, set };
  }

  test('has the flags of the context, and reports changes', async () => {
    const { open, write } = await newFlags();
    const { flags, events, set } = await begin('changes', open(), { email: 'ada@studio.example' });
    await set;
    expect(flags.getBooleanValue('shop', false)).toBe(true);
    expect(flags.getNumberDetails('gold', 5)).toMatchObject({ value: 10, variant: 'few', reason: 'STATIC' });
    expect(flags.getNumberDetails('none', 5)).toMatchObject({ value: 5, errorCode: 'FLAG_NOT_FOUND' });
    expect(flags.getStringDetails('gold', 'x')).toMatchObject({ value: 'x', errorCode: 'TYPE_MISMATCH' });
    await OpenFeature.setContext('changes', { email: 'ada@example.org' });
    expect(flags.getBooleanValue('shop', true)).toBe(false);
    let changed: readonly string[] | undefined;
    flags.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
      changed = details?.flagsChanged;
    });
    const more = {
      bad: { state: 'ENABLED', variants: {}, targeting: { iff: [] } },
      banner: { state: 'ENABLED', variants: { a: { text: 'Hi' } }, defaultVariant: 'a' },
      'in code': { state: 'ENABLED', variants: { a: 'x' } },
    };
    await write(document('many', more));
    await expect.poll(() => changed).toEqual(['gold', 'bad', 'banner', 'in code']);
    expect(flags.getNumberValue('gold', 5)).toBe(25);
    expect(flags.getBooleanDetails('bad', true)).toMatchObject({ value: true, errorCode: 'PARSE_ERROR' });
    expect(flags.getObjectValue('banner', {})).toEqual({ text: 'Hi' });
    expect(flags.getStringDetails('in code', 'mine')).toMatchObject({ value: 'mine', reason: 'DEFAULT' });
    expect(events.filter((event) => event === ProviderEvents.Error || event === ProviderEvents.Stale)).toEqual([]);
  });

  test('starts with stale values from the cache, and is ready once the service is back', async () => {
    const { open, network, write } = await newFlags();
    const kept = new Map<string, string>();
    const storage: TextStorage = {
      get: (name) => kept.get(name),
      set: (name, text) => void kept.set(name, text),
      delete: (name) => void kept.delete(name),
    };
    const cache = () => offlineCache({ storage });
    await (await begin('kept', open({ cache: cache() }))).set;
    await expect.poll(() => [...kept.keys()].some((name) => name.endsWith('/flags'))).toBe(true);
    await OpenFeature.setProviderAndWait('kept', flagProvider(open())); // closes the previous provider
    network.isDown = true;
    const { flags, events, set } = await begin('back', open({ cache: cache(), timeoutMs: 1_500 }), {}, 700);
    await set;
    expect(flags.getNumberDetails('gold', 5)).toMatchObject({ value: 10, reason: 'CACHED' });
    await expect.poll(() => events).toContain(ProviderEvents.Stale);
    await write(document('many'));
    network.isDown = false;
    await vi.waitFor(() => expect(events.slice(events.indexOf(ProviderEvents.Stale))).toContain(ProviderEvents.Ready), {
      timeout: 60_000,
    });
    expect(flags.getNumberDetails('gold', 5)).toMatchObject({ value: 25, reason: 'STATIC' });
  });

  test('fails if the service refuses or is out of reach, and recovers once it is back in reach', async () => {
    const { project, network, open } = await newFlags();
    const { id, apiKey } = await world.server.newApiKey(project, { kind: 'publishable' });
    await world.server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
    const { set } = await begin('refused', createClient(world.server.baseUrl, apiKey));
    await expect(set).rejects.toMatchObject({ code: 'unauthorized' });
    network.isDown = true;
    const late = await begin('late', open(), {}, 700);
    await expect(late.set).rejects.toMatchObject({ code: 'timeout' });
    expect(late.flags.getNumberDetails('gold', 5)).toMatchObject({ value: 5, errorCode: 'PROVIDER_NOT_READY' });
    network.isDown = false;
    await vi.waitFor(() => expect(late.events).toContain(ProviderEvents.Ready), { timeout: 60_000 });
    expect(late.flags.getNumberDetails('gold', 5)).toMatchObject({ value: 10, reason: 'STATIC' });
  });
});
