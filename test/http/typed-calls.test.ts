/** Calls by operation name, as programs and the console make them. */
import { ApiError, type Caller, createCaller } from '@holdfast/contract/call';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project: Project;
let caller: Caller;

beforeAll(async () => {
  server = await startServer();
  project = await server.newProject();
  const { Authorization } = project.developer.bearer;
  caller = createCaller({
    baseUrl: server.baseUrl,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, Authorization } }),
  });
});
afterAll(() => server.stop());

const paramsOf = ({ developer: { accountId }, slug }: Project) => ({ accountId, slug });

describe('a typed call', () => {
  it('fills in path, query and body, and returns the record', async () => {
    const params = paramsOf(project);
    const body = { name: 'Build server', access: 'read' } as const;
    const { id, apiKey } = await caller.call('createApiKey', { params, body });
    expect(apiKey).toMatch(/^svck_/);
    const { items } = await caller.call('listApiKeys', { params });
    expect(items.map((key) => [key.id, key.access])).toContainEqual([id, 'read']);
    const { accountId } = params;
    await caller.call('createProject', { params: { accountId }, body: { slug: 'second' } });
    const page = await caller.call('listProjects', { params: { accountId }, query: { limit: 1, cursor: null } });
    expect([page.items.length, page.hasMore]).toEqual([1, true]);
    const rest = await caller.call('listProjects', { params: { accountId }, query: { cursor: page.cursor } });
    expect(rest.items.map(({ slug }) => slug)).toEqual([project.slug]);
    expect(await caller.call('revokeApiKey', { params: { ...params, keyId: id } })).toBeUndefined();
  });

  it('sends a form if the operation takes one', async () => {
    const failing = caller.call('exchangeToken', {
      body: { grant_type: 'refresh_token', refresh_token: 'nothing', client_id: 'svc-developer' },
    });
    await expect(failing).rejects.toMatchObject({ status: 400, code: 'invalid_grant' });
  });

  it('writes with a precondition, and keeps a text digit for digit', async () => {
    const params = { ...paramsOf(project), env: 'staging' } as const;
    expect(await caller.call('readPublicState', { params })).toBeUndefined();
    const body = '{"state":{"seed":12345678901234567890}}';
    expect(await caller.call('replacePublicState', { params, ifVersion: null, body })).toMatchObject({ version: 1 });
    const patch = { ops: [{ op: 'add' as const, path: '/name', value: 'é/ü' }] };
    expect(await caller.call('patchPublicState', { params, ifVersion: 1, body: patch })).toMatchObject({ version: 2 });
    expect(await (await caller.send('readPublicState', { params })).text()).toContain('12345678901234567890');
    expect((await caller.send('readPublicState', { params, knownVersion: 2 })).status).toBe(304);
    const late = caller.call('patchPublicState', { params, ifVersion: 1, body: patch });
    await expect(late).rejects.toMatchObject({ status: 412, code: 'version_conflict', body: { currentVersion: 2 } });
  });

  it('counts a repeated write once', async () => {
    const params = { ...paramsOf(project), env: 'production' } as const;
    const write = { params, ifVersion: null, body: { state: { a: 1 } }, idempotencyKey: crypto.randomUUID() };
    const versions = [await caller.call('replacePublicState', write), await caller.call('replacePublicState', write)];
    expect(versions.map(({ version }) => version)).toEqual([1, 1]);
  });

  it('escapes path parameters, and reports the error of a refusal', async () => {
    const { accountId } = project.developer;
    const params = { ...paramsOf(project), env: 'staging', endUserId: 'a/b ?ü' } as const;
    expect(await caller.call('readPlayerState', { params })).toBeUndefined();
    const failure = await caller.call('readProject', { params: { accountId, slug: 'none' } }).catch((error) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 404, code: 'not_found', message: expect.stringContaining('project') });
  });
});

describe('the types of a call', () => {
  it('return the result of the operation', () => {
    expectTypeOf<Awaited<ReturnType<typeof listed>>>().toEqualTypeOf<string[]>();
    expectTypeOf<Awaited<ReturnType<typeof current>>>().toEqualTypeOf<number | undefined>();
  });

  it('refuse arguments of the wrong type', () => {
    expectTypeOf(refused).returns.toBeArray();
  });
});

const listed = async () =>
  (await caller.call('listApiKeys', { params: paramsOf(project) })).items.map(({ start }) => start);
const current = async () =>
  (await caller.call('readPublicState', { params: { ...paramsOf(project), env: 'staging' } }))?.version;

/** None of these compiles: the type checker must reject each one. They are never run. */
const refused = (params: { accountId: string; slug: string }) => [
  // @ts-expect-error there is no such operation
  caller.call('listKeys', { params }),
  // @ts-expect-error the operation is a page
  caller.call('readLoginPage'),
  // @ts-expect-error the path parameters are missing
  caller.call('listApiKeys'),
  // @ts-expect-error slug is missing
  caller.call('listApiKeys', { params: { accountId: params.accountId } }),
  // @ts-expect-error the path has no such parameter
  caller.call('listApiKeys', { params: { ...params, env: 'staging' } }),
  // @ts-expect-error env must be one of three
  caller.call('readPublicState', { params: { ...params, env: 'test' } }),
  // @ts-expect-error a version must be a number
  caller.call('readPublicStateVersion', { params: { ...params, env: 'staging', version: '1' } }),
  // @ts-expect-error a limit must be a number
  caller.call('listProjects', { params, query: { limit: '1' } }),
  // @ts-expect-error there is no such query parameter
  caller.call('listProjects', { params, query: { page: 2 } }),
  // @ts-expect-error required parameters are missing
  caller.call('readAuthorizeContext', { query: { client_id: 'svc-developer' } }),
  // @ts-expect-error the body is missing
  caller.call('createProject', { params }),
  // @ts-expect-error the body has the wrong type
  caller.call('createProject', { params, body: { name: 'No slug' } }),
  // @ts-expect-error a record is not a string
  caller.call('createProject', { params, body: '{"slug":"a"}' }),
  // @ts-expect-error a read has no body
  caller.call('listApiKeys', { params, body: {} }),
  // @ts-expect-error a write needs a precondition
  caller.call('replacePublicState', { params: { ...params, env: 'staging' }, body: { state: {} } }),
  // @ts-expect-error the operation takes no key
  caller.call('deleteProject', { params, idempotencyKey: 'a' }),
  // @ts-expect-error the response has no such member
  caller.call('listApiKeys', { params }).then(({ keys }) => keys),
];
