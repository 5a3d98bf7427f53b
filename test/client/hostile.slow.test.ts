/** Whatever responds instead of the service, each call succeeds or fails with a `HoldfastError` with a code of the package. */
import {
  createAuth,
  createClient,
  createStateClient,
  defineMutators,
  HoldfastError,
  memoryStorage,
  offlineCache,
  openQueue,
  type TextStorage,
} from '@holdfast/client';
import { errorCodes, quotaCodes, tokenErrorCodes } from '@holdfast/contract';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, clientOf, project, startAnswering, startHostile } from './stranger.ts';

const codes: readonly string[] = [
  ...[errorCodes, quotaCodes, tokenErrorCodes].flatMap((table) => Object.keys(table)),
  'access_denied',
  'network_error',
  'timeout',
  'signed_out',
  'popup_closed',
  'invalid_state',
  'inexact_number',
  'storage_failed',
  'unexpected_response',
];

/** Resolves with the error of a call; undefined if it succeeded. */
const failureOf = (call: () => unknown): Promise<unknown> =>
  (async () => call())().then(
    () => undefined,
    (failure) => failure ?? 'nothing',
  );

const ours = (failure: unknown): boolean =>
  failure === undefined ||
  (failure instanceof HoldfastError && codes.includes(failure.code) && typeof failure.message === 'string');

/** A token with a user id. */
const token = `e30.${Buffer.from('{"user_id":"ada","svc_role":"end_user"}').toString('base64url')}.x`;

/** A signed-in user's storage, in which another sign-in has started. */
async function signedInStorage(baseUrl: string): Promise<TextStorage> {
  const storage = memoryStorage();
  const tokens = { accessToken: token, refreshToken: 'r', expiresAt: 0, renewAt: 0 };
  await storage.set(`holdfast:${baseUrl}:acc_1.p:production`, JSON.stringify(tokens));
  await storage.set('holdfast:sign-in:s', '{"verifier":"v","popup":false}');
  return storage;
}

/** Every function of the package that sends requests. */
const calls: Readonly<Record<string, (baseUrl: string) => unknown>> = {
  get: (url) => clientOf(url).publicState.get(),
  'get with a cache': (url) => clientOf(url, { cache: offlineCache({ storage: memoryStorage() }) }).userState.get(),
  put: (url) => clientOf(url).publicState.put({ gold: 1 }, { ifVersion: 1 }),
  patch: (url) => clientOf(url).userState.patch([{ op: 'add', path: '/gold', value: 1 }], { ifVersion: null }),
  update: (url) => clientOf(url).userState.update((draft) => ({ ...draft, gold: 1 }), { conflictsMax: 2 }),
  versions: (url) => clientOf(url).publicState.versions(),
  version: (url) => clientOf(url).publicState.version(1),
  history: (url) => clientOf(url).publicState.history({ limit: 1 }),
  rollback: (url) => clientOf(url).publicState.rollback(1),
  flush: async (url) => {
    const mutators = defineMutators({ add: (draft: Record<string, unknown>) => ({ ...draft, gold: 1 }) });
    const queue = openQueue(clientOf(url).userState, mutators, { name: 'q', storage: memoryStorage() });
    await queue.run.add();
    await queue.flush().finally(() => queue.close());
  },
  handleRedirect: async (baseUrl) => {
    const auth = createAuth({ ...project, baseUrl, redirectUri: 'http://a/', storage: await signedInStorage(baseUrl) });
    await auth.handleRedirect(`http://a/?state=s&code=c&iss=${encodeURIComponent(baseUrl)}`);
  },
  'handleRedirect without iss': async (baseUrl) => {
    const auth = createAuth({ ...project, baseUrl, redirectUri: 'http://a/', storage: await signedInStorage(baseUrl) });
    await auth.handleRedirect('http://a/?state=s&code=c');
  },
  accessToken: async (baseUrl) =>
    createAuth({ ...project, baseUrl, redirectUri: 'http://a/', storage: await signedInStorage(baseUrl) }).accessToken(),
  signOut: async (baseUrl) =>
    createAuth({ ...project, baseUrl, redirectUri: 'http://a/', storage: await signedInStorage(baseUrl) }).signOut(),
};

const anyJson = fc.json({ maxDepth: 2 });
const record = fc.record({
  version: fc.oneof(fc.constantFrom(1, 2, 0, -1, 1.5, '1', null), fc.integer()),
  state: fc.oneof(fc.constantFrom<unknown>({ gold: 1 }, null, [], 'x', 5), fc.object({ maxDepth: 1 })),
  items: fc.constantFrom<unknown>([], null, {}, [null]),
  cursor: fc.constantFrom<unknown>(null, 'c', 5),
  hasMore: fc.constantFrom<unknown>(true, 'x'),
  access_token: fc.constantFrom<unknown>(token, 'x', 5, 'e30.bnVsbA.x', 'e30.eyJzdWIiOjV9.x', null),
  refresh_token: fc.constantFrom<unknown>('r', 5),
  expires_in: fc.constantFrom<unknown>(900, 0, -1, 'x', 0.5, 1e300),
  issuer: fc.constantFrom<unknown>('http://b', 5, null),
});
const envelope = fc.record({
  error: fc.oneof(fc.constantFrom<unknown>(...codes, {}, null, 5, 'later_code'), fc.string()),
  code: fc.constantFrom<unknown>(undefined, 'QUOTA_STORAGE', {}, 'toString'),
  message: fc.constantFrom<unknown>('why', {}, undefined, ['x']),
  currentVersion: fc.constantFrom<unknown>(undefined, 'x', 3, null, {}),
  appliedVersion: fc.constantFrom<unknown>(undefined, 'x', 3),
});
const answers = fc.record({
  status: fc.constantFrom(200, 201, 204, 304, 400, 401, 402, 403, 404, 408, 409, 412, 413, 418, 429, 500, 502, 503, 599),
  headers: fc.record(
    {
      'Content-Type': fc.constantFrom('application/json', 'text/html', 'text/event-stream'),
      'API-Version': fc.constantFrom('1', ''),
      'Retry-After': fc.constantFrom('0', '5', '-5', 'x', '99999999999', 'Wed, 21 Oct 2099 07:28:00 GMT', '1e3'),
      ETag: fc.constantFrom('"1"', 'W/x'),
    },
    { requiredKeys: [] },
  ),
  body: fc.oneof(
    fc.constantFrom('', 'null', '"text"', '[1]', '{"error":{}}', '<html>', '{', '[null]', '[{"version":1}]'),
    anyJson,
    record.map((value) => JSON.stringify(value)),
    record.map((value) => JSON.stringify([value, value])),
    envelope.map((value) => JSON.stringify(value)),
  ),
});

test('the client survives any answer of a server', async () => {
  let answer: Answer = { status: 200 };
  const baseUrl = await startAnswering(() => answer);
  const runs = Number(process.env.HOLDFAST_FUZZ_RUNS ?? 60);
  for (const [name, call] of Object.entries(calls)) {
    const property = fc.asyncProperty(answers, async (given) => {
      answer = given;
      const failure = await failureOf(() => call(baseUrl));
      if (!ours(failure)) throw new Error(`${name}: ${failure instanceof Error ? failure.stack : failure}`);
    });
    await fc.assert(property, { numRuns: runs });
  }
});

test('errors describe invalid answers', async () => {
  const api = { 'API-Version': '1' };
  const inTwoHours = new Date(Date.now() + 7_200_000).toUTCString();
  let answer: Answer = { status: 200 };
  const baseUrl = await startAnswering(() => answer);
  for (const [given, expected] of [
    [{ status: 200, body: 'null' }, { code: 'unexpected_response' }],
    [{ status: 200, body: '"text"' }, { code: 'unexpected_response' }],
    [{ status: 200, body: '[1]' }, { code: 'unexpected_response' }],
    [{ status: 400, body: 'null', headers: api }, { code: 'unexpected_response' }],
    [{ status: 400, body: '{"error":{"code":"x"}}' }, { code: 'unexpected_response' }],
    [
      { status: 404, body: '<html>' },
      { code: 'unexpected_response', status: 404 },
    ],
    [{ status: 403, headers: api }, { code: 'forbidden' }],
    [{ status: 400, body: '{"error":"later_code","message":"new"}', headers: api }, { code: 'validation_error' }],
    [
      { status: 429, body: '<html>', headers: { 'Retry-After': '7200' } },
      { code: 'rate_limited', retryAfter: 7_200 },
    ],
    [
      { status: 429, headers: { 'Retry-After': '-5' } },
      { code: 'rate_limited', retryAfter: undefined },
    ],
  ] as const) {
    answer = given;
    expect(
      await failureOf(() => clientOf(baseUrl, { timeoutMs: 3_000 }).publicState.get()),
      JSON.stringify(given),
    ).toMatchObject({
      name: 'HoldfastError',
      ...expected,
    });
  }
  answer = { status: 429, body: '<html>', headers: { 'Retry-After': inTwoHours } };
  const failure = (await failureOf(() => clientOf(baseUrl, { timeoutMs: 3_000 }).publicState.get())) as HoldfastError;
  expect(failure.code).toBe('rate_limited');
  expect(Math.abs((failure.retryAfter ?? 0) - 7_200)).toBeLessThan(60);
});

test('missing or wrong options are refused when the client is created', () => {
  const good = { ...project, baseUrl: 'http://127.0.0.1:1', auth: { apiKey: 'x' } };
  for (const wrong of [
    undefined,
    {},
    { baseUrl: undefined },
    { baseUrl: '' },
    { baseUrl: 'localhost:8787' },
    { baseUrl: 5 },
    { project: undefined },
    { project: '' },
    { project: '..' },
    { accountId: '.' },
    { project: '\ud800' },
    { environment: undefined },
    { auth: undefined },
    { auth: { apiKey: undefined } },
    { auth: { apiKey: 'a\nb' } },
    { auth: { accessToken: undefined } },
    { fetch: 5 },
    { auth: { redirectUri: 'http://a/' }, accountId: undefined },
  ]) {
    for (const create of [createClient, createStateClient] as const) {
      const options = wrong && { ...(Object.keys(wrong).length > 0 && good), ...wrong };
      expect(() => create(options as never), JSON.stringify(wrong)).toThrow(
        expect.objectContaining({ name: 'HoldfastError', code: 'invalid_request' }),
      );
    }
  }
  expect(() => createAuth({ redirectUri: 'http://a/' } as never)).toThrow(HoldfastError);
});

test('project names cannot lead to another path', async () => {
  const seen: string[] = [];
  const baseUrl = await startHostile((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(204, { 'API-Version': '1' }).end();
  });
  await clientOf(baseUrl, { project: 'p/../../x?y#z', timeoutMs: 5_000 }).publicState.get();
  await clientOf(baseUrl, { accountId: 'a b', environment: 'é/', timeoutMs: 5_000 }).userState.get();
  expect(seen).toEqual([
    '/v1/acc_1/projects/p%2F..%2F..%2Fx%3Fy%23z/public-state/production',
    '/v1/a%20b/projects/p/user-state/%C3%A9%2F',
  ]);
});

test('the client works with a storage that is full, denied or damaged', async () => {
  const full: TextStorage = {
    get: () => null,
    set: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    delete: () => {},
  };
  const denied: TextStorage = {
    get() {
      throw new DOMException('denied', 'SecurityError');
    },
    set() {
      throw new DOMException('denied', 'SecurityError');
    },
    delete() {
      throw new DOMException('denied', 'SecurityError');
    },
  };
  const holding = (text: string): TextStorage => ({ ...memoryStorage(), get: () => text });
  const baseUrl = await startAnswering(() => ({ status: 503 }));
  const mutators = defineMutators({ add: (draft: Record<string, unknown>) => draft });
  const queueOf = (storage: TextStorage) => openQueue(clientOf(baseUrl).userState, mutators, { name: 'q', storage });
  const authOf = (storage: TextStorage) => createAuth({ ...project, baseUrl, redirectUri: 'http://a/', storage });
  const failed = { name: 'HoldfastError', code: 'storage_failed' };
  for (const storage of [full, denied]) {
    const queue = queueOf(storage);
    onTestFinished(() => queue.close());
    expect(await failureOf(() => queue.run.add())).toMatchObject(failed);
    expect(await failureOf(() => authOf(storage).signIn())).toMatchObject(failed);
  }
  expect(await failureOf(() => authOf(denied).handleRedirect('http://a/?state=s&code=c'))).toMatchObject(failed);
  for (const text of [
    '',
    '{',
    'null',
    '5',
    '[1]',
    '"x"',
    '{"first":0}',
    '{"first":0,"next":1e300}',
    '{"first":2,"next":1}',
  ]) {
    const queue = queueOf(holding(text));
    onTestFinished(() => queue.close());
    expect(await failureOf(() => queue.flush()), text).toMatchObject(failed);
    expect(await failureOf(() => queue.pending()), text).toMatchObject(failed);
    expect(await failureOf(() => authOf(holding(text)).handleRedirect('http://a/?state=s&code=c')), text).toMatchObject(
      failed,
    );
    expect(await failureOf(() => authOf(holding(text)).accessToken()), text).toMatchObject({ code: 'signed_out' });
    const cache = offlineCache({ storage: holding(`null\n${text}`) });
    // Only `null` is a document: the others are tried again until the time is up.
    const cached = clientOf(baseUrl, { cache, ...(text === 'null' && { timeoutMs: 30_000 }) });
    const failure = await failureOf(() => cached.publicState.get());
    expect([text, text === 'null' ? failure : (failure as HoldfastError).code]).toEqual([
      text,
      text === 'null' ? undefined : expect.stringMatching(/service_unavailable|unexpected_response|timeout/),
    ]);
  }
});

test('the client survives exceptions in functions of the application', async () => {
  const baseUrl = await startAnswering(() => ({ status: 204, headers: { 'API-Version': '1' } }));
  const asking = (accessToken: () => never) => clientOf(baseUrl, { auth: { accessToken } }).userState.get();
  const throwing = (): never => {
    throw new TypeError('no session');
  };
  expect(await failureOf(() => asking(throwing))).toMatchObject({ name: 'HoldfastError' });
  expect(await failureOf(() => asking((() => undefined) as never))).toMatchObject({ name: 'HoldfastError' });
  const patient = clientOf(baseUrl, { timeoutMs: 30_000 });
  expect(await failureOf(() => patient.publicState.update(throwing))).toBeInstanceOf(TypeError);
  const { publicState: plain } = clientOf(baseUrl);
  for (const wrong of [
    () => plain.put({}, undefined as never),
    () => plain.patch(undefined as never, { ifVersion: 1 }),
    () => plain.patch([null as never], undefined as never),
    () => plain.update(undefined as never),
    () => plain.version(Number.NaN),
    () => plain.rollback('../x' as never),
    () => createAuth({ ...project, baseUrl, redirectUri: 'x' }).handleRedirect('?state=s&code=c'),
    () => createAuth({ ...project, baseUrl, redirectUri: 'http://a/', developer: true }).fetch('http://['),
  ]) {
    const failure = await failureOf(wrong);
    expect(failure, String(wrong)).toBeInstanceOf(HoldfastError);
  }
});
