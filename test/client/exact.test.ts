/** Values outside JSON are never written, and numbers keep the digits that were read. */
import { createClient, defineMutators, memoryStorage, openQueue, type Snapshot } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type ClientWorld, openClientWorld } from './world.ts';

type Doc = Record<string, unknown>;

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

const circle: Doc = { name: 'a' };
circle.list = [{ circle }];
class Score {
  toJSON() {
    return new Map();
  }
}
const deep = Array.from({ length: 300 }).reduce((inner) => ({ inner }), null);

/** Values with the expected parts of the message. */
const refused: readonly (readonly [value: unknown, path: string, what: string, code?: string])[] = [
  [Number('12345678901234567890'), '/a/b', '12345678901234567000', 'inexact_number'],
  [-9007199254740992, '/a/b', '-9007199254740992', 'inexact_number'],
  [Number.NaN, '/a/b', 'NaN'],
  [Number.NEGATIVE_INFINITY, '/a/b', '-Infinity'],
  [new Map([['x', 1]]), '/a/b', 'a Map'],
  [new Set([1]), '/a/b', 'a Set'],
  [new Uint8Array(2), '/a/b', 'a Uint8Array'],
  [/x/, '/a/b', 'a RegExp'],
  [Promise.resolve(1), '/a/b', 'a Promise'],
  [new Date(Number.NaN), '/a/b', 'an invalid Date'],
  [new Score(), '/a/b', 'a Map'],
  [() => 1, '/a/b', 'a function'],
  [Symbol('s'), '/a/b', 'a symbol'],
  [circle, '/a/b/list/0/circle', 'contains itself'],
  [deep, '/inner', 'deeper than 256'],
  [[1, undefined], '/a/b/1', 'undefined'],
  [new Array(2), '/a/b/0', 'undefined'],
  [[0, { 'x/y~': Number.NaN }], '/a/b/1/x~1y~0', 'NaN'],
];

describe('a value outside JSON', () => {
  test.each(refused)('such as %s is refused with its path %s, before anything is sent', async (value, path, what, code) => {
    const sent: string[] = [];
    const { publicState, userState } = createClient({
      baseUrl: 'http://127.0.0.1:1',
      accountId: 'acc_1',
      project: 'p',
      environment: 'production',
      auth: { apiKey: 'x' },
      fetch: async (_, init) => {
        sent.push(init?.method ?? 'GET');
        return new Response('{"version":1,"state":{"n":1}}', { headers: { 'API-Version': '1' } });
      },
    });
    const state = { a: { b: value } } as Doc;
    const queue = openQueue(userState, defineMutators({ set: (draft: Doc, given: unknown) => ({ ...draft, given }) }), {
      name: 'q',
      storage: memoryStorage(),
    });
    onTestFinished(() => queue.close());
    for (const [call, prefix = ''] of [
      [() => publicState.put(state, { ifVersion: 1 })],
      [() => publicState.patch([{ op: 'add', path: '/x', value: state as never }], { ifVersion: 1 }), '/0/value'],
      [() => userState.patch([{ op: 'add', path: '/x', value: state as never }], { ifVersion: 1 }), '/0/value'],
      [() => publicState.update(() => state)],
      [() => queue.run.set(state), '/0'],
    ] as const) {
      const failure = await call().then(
        () => undefined,
        (caught) => caught,
      );
      expect(failure, `${call}`).toMatchObject({ name: 'HoldfastError', code: code ?? 'invalid_state', status: 0 });
      expect(failure.message).toContain(what);
      expect(failure.message).toContain(path === '/inner' ? path : ` ${prefix}${path}:`);
    }
    expect(await queue.pending()).toBe(0);
    expect(sent.filter((method) => method !== 'GET')).toEqual([]);
  });

  test('such as a date or bigint is written in its JSON form', async () => {
    const { publicState } = await world.clientOf<{ publicState: Doc }>(await world.newProject());
    const at = new Date(0);
    const same = { n: 1 };
    await publicState.put(
      { at, gone: undefined, one: same, other: same, big: 2n ** 70n, tiny: 5e-324, huge: 1e300, nothing: null },
      { ifVersion: null },
    );
    const kept = { at: '1970-01-01T00:00:00.000Z', one: same, other: same, tiny: 5e-324, huge: 1e300, nothing: null };
    expect((await publicState.get())?.state).toEqual({ ...kept, big: 2 ** 70 });
    await publicState.patch([{ op: 'add', path: '/big', value: 3n ** 50n } as never], { ifVersion: 1 });
    expect((await publicState.get())?.state.big).toBe(3 ** 50);
  });

  test('such as undefined is left out of the arguments, so that a mutator uses its defaults', async () => {
    const { userState } = await world.userClientOf<{ userState: Doc }>(await world.newProject());
    const mutators = defineMutators({ add: (draft: Doc, name: string, n = 5) => ({ ...draft, [name]: n }) });
    const queue = openQueue(userState, mutators, { name: 'q', storage: memoryStorage() });
    onTestFinished(() => queue.close());
    await queue.run.add('gold', undefined);
    await queue.flush();
    expect((await userState.get())?.state).toEqual({ gold: 5 });
  });
});

describe('numbers that a double cannot hold', () => {
  const digits =
    '{"id":12345678901234567890,"twins":[{"id":1234567890123456789},{"id":1234567890123456790}],"n":1,"zero":-0,"far":1e400,"half":0.12345678901234567891}';

  /** Creates a project with such a document. `stored` returns its stored text. */
  async function openExact() {
    const project = await world.newProject();
    const { apiKey } = await world.server.newApiKey(project);
    const place = `${world.server.baseUrl}${project.path}/public-state/production`;
    const headers = { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json' };
    await fetch(place, { method: 'PUT', headers: { ...headers, 'If-None-Match': '*' }, body: `{"state":${digits}}` });
    const stored = async () => /"state":(\{.*\}),"comment/.exec(await (await fetch(place, { headers })).text())?.[1];
    expect(await stored()).toBe(digits);
    return { project, stored };
  }
  const changed = digits.replace('"n":1', '"n":2');

  test('are put back unchanged', async () => {
    const { project, stored } = await openExact();
    const { publicState } = await world.clientOf<{ publicState: Doc }>(project);
    const first = await publicState.get();
    await publicState.put(first?.state ?? {}, { ifVersion: 1 });
    expect(await stored()).toBe(digits);
    const second = await publicState.get();
    await publicState.put({ ...second?.state, n: 2 }, { ifVersion: 2 });
    expect(await stored()).toBe(changed);
    // The state of an old version, read by another client.
    const { publicState: another } = await world.clientOf<{ publicState: Doc }>(project);
    const old = await another.version(1);
    await publicState.put(old?.state ?? {}, { ifVersion: 3 });
    expect(await stored()).toBe(digits);
  });

  test('are put back unchanged from a subscription and through a schema', async () => {
    const { project, stored } = await openExact();
    const { publicState } = await world.clientOf<{ publicState: Doc }>(project);
    const snapshot = await new Promise<Snapshot<Doc>>((resolve) => onTestFinished(publicState.subscribe(resolve)));
    await publicState.put({ ...snapshot.state, n: 2 }, { ifVersion: 1 });
    expect(await stored()).toBe(changed);
    await publicState.put(snapshot.state as Doc, { ifVersion: 2 });
    expect(await stored()).toBe(digits);
    const schema = {
      publicState: z.looseObject({ id: z.number(), twins: z.array(z.looseObject({ id: z.number() })), n: z.number() }),
    };
    const { publicState: checked } = await world.clientOf(project, { schema });
    const record = await checked.get();
    await checked.put({ ...record?.state, n: 2 } as never, { ifVersion: 3 });
    expect(await stored()).toBe(changed);
    await checked.update((draft) => {
      draft.n = 1;
    });
    expect(await stored()).toBe(digits);
  });

  test('become plain numbers in a calculation', async () => {
    const { publicState } = await world.clientOf<{ publicState: { n: number } }>(await world.newProject());
    await publicState.put({ n: (10n ** 20n) as never }, { ifVersion: null });
    await publicState.update((draft) => {
      draft.n *= 2;
    });
    expect((await publicState.get())?.state).toEqual({ n: 2e20 });
    // A double cannot hold these digits.
    await publicState.put({ n: (10n ** 20n + 1n) as never }, { ifVersion: 2 });
    const counting = publicState.update((draft) => {
      draft.n *= 2;
    });
    await expect(counting).rejects.toMatchObject({ code: 'inexact_number', message: expect.stringContaining('bigint') });
  });
});
