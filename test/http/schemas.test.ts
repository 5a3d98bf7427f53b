/** State schemas over HTTP. @see docs/contract.md §5.6 */
import { describe, expect, test } from 'vitest';
import type { Project } from '../support/server.ts';
import { at, check, create, fault, get, pathOf, put, putState, server, shop, startForSchemas } from './schemas.fixture.ts';

startForSchemas();

describe.concurrent('the record', () => {
  test('is absent, created, replaced, deleted, and continues above its old versions', async () => {
    const project = await server.newProject();
    expect((await get(project)).status).toBe(204);
    const first = await put(project, { mode: 'report', schema: shop, comment: 'a try' });
    expect([first.status, first.headers.etag, first.json]).toEqual([
      200,
      '"1"',
      { version: 1, mode: 'report', schema: shop, comment: 'a try', warnings: [] },
    ]);
    expect(fault(await put(project, { mode: 'off', schema: true }))).toEqual([412, 'version_conflict']);
    const second = await put(project, { mode: 'enforce', schema: true }, at(1));
    const stored = { version: 2, mode: 'enforce', schema: true, comment: null };
    const warnings = [{ schemaLocation: '#', message: expect.stringMatching(/refuses nothing/) }];
    expect(second.json).toEqual({ ...stored, warnings });
    expect(await put(project, { mode: 'off', schema: true }, at(1))).toMatchObject({
      status: 412,
      json: { currentVersion: 2 },
    });
    expect((await get(project)).json).toEqual(stored);
    expect((await get(project, '/versions/1')).json).toEqual({
      version: 1,
      mode: 'report',
      schema: shop,
      comment: 'a try',
    });
    expect(fault(await get(project, '/versions/3'))).toEqual([404, 'not_found']);
    const remove = (headers: Record<string, string>) =>
      server.call('DELETE', pathOf(project), { headers: { ...project.developer.bearer, ...headers } });
    expect(fault(await remove({}))).toEqual([400, 'validation_error']);
    expect(fault(await remove(create))).toEqual([400, 'validation_error']);
    expect((await remove(at(1))).status).toBe(412);
    expect((await remove(at(2))).status).toBe(204);
    expect((await get(project)).status).toBe(204);
    expect(fault(await remove(at(2)))).toEqual([412, 'version_conflict']);
    const again = await put(project, { mode: 'off', schema: false });
    expect((again.json as { version: number }).version).toBeGreaterThan(2);
    const history = await get(project, '/history');
    expect(history.json).toMatchObject({
      items: [
        { mode: 'off' },
        { version: 2, mode: 'enforce' },
        { version: 1, comment: 'a try', author: { kind: 'developer' } },
      ],
      hasMore: false,
    });
    expect((await get(project, '/history?limit=1')).json).toMatchObject({ items: [{ mode: 'off' }], hasMore: true });
  });

  test('of a recreated project continues above the versions of the old project', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'off', schema: true });
    await put(project, { mode: 'off', schema: true }, at(1));
    await server.call('DELETE', project.path, { headers: project.developer.bearer });
    const { accountId } = project.developer;
    await server.call('POST', `/v1/${accountId}/projects`, {
      headers: project.developer.bearer,
      body: { slug: project.slug },
    });
    expect((await get(project)).status).toBe(204);
    expect((await get(project, '/history')).json).toMatchObject({ items: [] });
    expect((await put(project, { mode: 'off', schema: true })).json).toMatchObject({ version: 3 });
  });

  test('keeps the digits of its numbers', async () => {
    const project = await server.newProject();
    const body = '{"mode":"enforce","schema":{"properties":{"n":{"maximum":9007199254740993}}}}';
    const headers = { ...project.developer.bearer, ...create, 'Content-Type': 'application/json' };
    expect((await server.call('PUT', pathOf(project), { headers, body })).status).toBe(200);
    expect((await get(project)).text).toContain('9007199254740993');
  });

  test.each([
    ['no mode', { schema: true }, []],
    ['an unknown mode', { mode: 'on', schema: true }, []],
    ['no schema', { mode: 'off' }, []],
    ['a comment of another type', { mode: 'off', schema: true, comment: 1 }, []],
    ['an invalid schema', { mode: 'off', schema: [] }, [['', 'type']]],
    [
      'an unknown type',
      { mode: 'off', schema: { properties: { a: { type: 'integr' } } } },
      [['/properties/a/type', 'type']],
    ],
    ['a circular reference', { mode: 'off', schema: { $ref: '#' } }, [['', '$ref']]],
    ['a reference outside the schema', { mode: 'off', schema: { $ref: 'http://127.0.0.1:1/' } }, [['/$ref', '$ref']]],
    ['too many schemas', { mode: 'off', schema: { allOf: Array.from({ length: 100_000 }, () => true) } }, [['', 'budget']]],
    [
      'a rule that can be bypassed',
      { mode: 'off', schema: { anyOf: [{ 'x-write': 'server' }] } },
      [['/anyOf/0/x-write', 'x-write']],
    ],
  ])('is refused with %s: 400', async (_, body, violations) => {
    const project = await server.newProject();
    const answer = await put(project, body);
    expect(fault(answer)).toEqual([400, 'validation_error']);
    const told = (answer.json as { violations?: { path: string; keyword: string }[] }).violations ?? [];
    expect(told.map(({ path, keyword }) => [path, keyword])).toEqual(violations);
    expect((await get(project)).status).toBe(204);
  });

  test('is refused for unknown kinds of state, and without a precondition: 400', async () => {
    const project = await server.newProject();
    const { bearer: headers } = project.developer;
    const unknown = await server.call('GET', `${project.path}/schemas/production/saves`, { headers });
    expect(unknown).toMatchObject({ status: 400, json: { message: expect.stringContaining('kind') } });
    expect(fault(await put(project, { mode: 'off', schema: true }, {}))).toEqual([400, 'validation_error']);
    expect(fault(await put(project, { mode: 'off', schema: true }, { ...create, ...at(1) }))).toEqual([
      412,
      'version_conflict',
    ]);
  });

  test('needs a comment in a protected environment', async () => {
    const project = await server.newProject();
    await server.call('PATCH', project.path, {
      headers: project.developer.bearer,
      body: { protectedEnvironments: ['production'] },
    });
    expect(fault(await put(project, { mode: 'off', schema: true, comment: ' ' }))).toEqual([400, 'validation_error']);
    expect((await put(project, { mode: 'off', schema: true, comment: 'why' })).status).toBe(200);
  });

  test('is recorded in the audit trail', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'report', schema: true, comment: 'a try' });
    const { accountId, bearer: headers } = project.developer;
    const trail = await server.call('GET', `/v1/${accountId}/audit?action=schema.write`, { headers });
    expect(trail.json).toMatchObject({
      items: [
        {
          target: `projects/${project.slug}/schemas/production/public-state`,
          detail: { version: { to: 1 }, mode: { to: 'report' } },
        },
      ],
    });
  });

  test('counts its bytes towards the account’s storage, until the project is deleted', async () => {
    const project = await server.newProject();
    const { accountId, bearer: headers } = project.developer;
    const stored = async () =>
      ((await server.call('GET', `/v1/${accountId}/usage`, { headers })).json as { storageBytes: { used: number } })
        .storageBytes.used;
    const before = await stored();
    await put(project, { mode: 'off', schema: shop });
    expect((await stored()) - before).toBe(JSON.stringify(shop).length);
    await server.call('DELETE', project.path, { headers });
    expect(await stored()).toBe(before);
  });
});

describe.concurrent('a write of public state', () => {
  test('against the schema is refused, and nothing is stored', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'enforce', schema: shop });
    const answer = await putState(project, { shop: { sword: { price: 0 }, bow: {} } });
    expect(answer).toMatchObject({
      status: 400,
      json: {
        error: 'validation_error',
        message: 'the state does not fit the schema: /shop/sword/price must be at least 1, and 1 more',
        violations: [
          { path: '/shop/sword/price', keyword: 'minimum', message: 'must be at least 1' },
          { path: '/shop/bow', keyword: 'required', message: 'must contain "price"' },
        ],
      },
    });
    const path = `${project.path}/public-state/production`;
    expect((await server.call('GET', path, { headers: project.developer.bearer })).status).toBe(204);
    expect((await putState(project, { shop: { sword: { price: 1 } } })).status).toBe(200);
    const ops = [{ op: 'replace', path: '/shop/sword/price', value: 'free' }];
    const patch = (precondition: Record<string, string>) =>
      server.call('PATCH', path, { headers: { ...project.developer.bearer, ...precondition }, body: { ops } });
    expect(await patch(at(1))).toMatchObject({
      status: 400,
      json: { violations: [{ path: '/shop/sword/price', keyword: 'type' }] },
    });
    expect(fault(await patch(at(7)))).toEqual([412, 'version_conflict']);
    expect(fault(await putState(project, { shop: 1, x: { price: 0 } }, at(7)))).not.toEqual([200, undefined]);
    expect(fault(await putState(project, { shop: { bow: {} } }, at(7)))).toEqual([412, 'version_conflict']);
  });

  test('is accepted by a reporting schema, and counted by position', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'report', schema: shop });
    expect((await putState(project, { shop: { sword: { price: 0 }, bow: { price: 0 } } })).status).toBe(200);
    expect((await putState(project, { shop: { lance: { price: 0 } } }, at(1))).status).toBe(200);
    expect((await putState(project, { shop: {} }, at(2))).status).toBe(200);
    const schemaLocation = '#/properties/shop/additionalProperties/properties/price/minimum';
    expect((await get(project, '/report')).json).toEqual({
      items: [{ schemaLocation, keyword: 'minimum', path: '/shop/*/price', count: 2 }],
    });
    await put(project, { mode: 'report', schema: shop }, at(1));
    expect((await get(project, '/report')).json).toEqual({ items: [] });
  });

  test('is not validated if the schema is off, or for another environment or kind', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'off', schema: false });
    await put(project, { mode: 'enforce', schema: false }, create, 'user-state');
    expect((await putState(project, { any: 'thing' })).status).toBe(200);
  });

  test('during the deletion of the schema is validated against it or not at all, and never after the response', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'enforce', schema: false });
    let isDeleted = false;
    const statuses = new Set<number>();
    const writer = async () => {
      for (let after = 0; after < 3; ) {
        const beganAfter = isDeleted;
        const { status } = await putState(project, { any: 'thing' });
        statuses.add(status);
        if (!beganAfter) continue;
        expect([200, 412]).toContain(status);
        after += 1;
      }
    };
    const writing = Promise.all([writer(), writer(), writer(), writer()]);
    expect((await putState(project, { any: 'thing' })).status).toBe(400);
    const headers = { ...project.developer.bearer, ...at(1) };
    expect((await server.call('DELETE', pathOf(project), { headers })).status).toBe(204);
    isDeleted = true;
    await writing;
    expect([...statuses].sort()).toEqual([200, 400, 412]);
  });

  test('gets the first response when repeated, even under a newer schema', async () => {
    const project = await server.newProject();
    const headers = { ...project.developer.bearer, ...create, 'Idempotency-Key': 'one' };
    const send = () =>
      server.call('PUT', `${project.path}/public-state/production`, { headers, body: { state: { a: 1 } } });
    expect((await send()).status).toBe(200);
    await put(project, { mode: 'enforce', schema: { required: ['b'] } });
    expect(await send()).toMatchObject({ status: 200, json: { version: 1 } });
  });
});

describe.concurrent('a write of user state', () => {
  const wallet = { properties: { gold: { type: 'integer', 'x-write': 'server' }, level: { 'x-increase-max': 1 } } };

  async function game() {
    const project = await server.newProject();
    await put(project, { mode: 'enforce', schema: wallet }, create, 'user-state');
    const { accountId } = project.developer;
    const claims = { accountId, slug: project.slug, environment: 'production', userId: 'player-1', seconds: 900 } as const;
    const token = await server.running.accessTokens.signPlayerToken(claims);
    const player = { endUserId: claims.userId, bearer: { Authorization: `Bearer ${token}` } };
    const own = (ops: unknown, precondition: Record<string, string>) =>
      server.call('PATCH', `${project.path}/user-state/production`, {
        headers: { ...player.bearer, ...precondition },
        body: { ops },
      });
    const servers = (ops: unknown, precondition: Record<string, string>) =>
      server.call('PATCH', `${project.path}/user-states/production/${player.endUserId}`, {
        headers: { ...project.developer.bearer, ...precondition },
        body: { ops },
      });
    return { project, player, own, servers };
  }

  test('by the player must follow the rules of change, by a server only the schema', async () => {
    const { own, servers } = await game();
    expect(await own([{ op: 'add', path: '/gold', value: 5 }], create)).toMatchObject({
      status: 400,
      json: { violations: [{ path: '/gold', keyword: 'x-write', message: 'can only be changed by servers' }] },
    });
    expect((await own([{ op: 'add', path: '/level', value: 1 }], create)).status).toBe(200);
    expect((await servers([{ op: 'add', path: '/gold', value: 100 }], at(1))).status).toBe(200);
    expect((await servers([{ op: 'replace', path: '/gold', value: 'much' }], at(2))).status).toBe(400);
    expect((await own([{ op: 'replace', path: '', value: { level: 2 } }], at(2))).status).toBe(400);
    expect((await own([{ op: 'replace', path: '/level', value: 3 }], at(2))).status).toBe(400);
    expect((await own([{ op: 'replace', path: '', value: { level: 2, gold: 100 } }], at(2))).status).toBe(200);
  });

  test('can be tested without writing', async () => {
    const { project, player, own } = await game();
    await own([{ op: 'add', path: '/level', value: 1 }], create);
    const ops = [{ op: 'replace', path: '/level', value: 5 }];
    expect((await check(project, { ops, endUserId: player.endUserId }, 'user-state')).json).toMatchObject({
      valid: false,
      violations: [{ path: '/level', keyword: 'x-increase-max' }],
      stateSizeBytes: 11,
    });
    expect((await check(project, { state: { level: 5 } }, 'user-state')).json).toMatchObject({
      valid: true,
      violations: [],
    });
    expect(fault(await check(project, { ops }, 'user-state'))).toEqual([400, 'validation_error']);
    const missing = [{ op: 'replace', path: '/none', value: 5 }];
    expect(fault(await check(project, { ops: missing, endUserId: player.endUserId }, 'user-state'))).toEqual([
      400,
      'patch_path_not_found',
    ]);
  });

  test('is found in a scan of stored states, slice by slice', async () => {
    const { project, own } = await game();
    await own([{ op: 'add', path: '/level', value: 1 }], create);
    const schema = { properties: { level: { minimum: 2 } } };
    const scan = await check(project, { schema, scan: true }, 'user-state');
    expect(scan.json).toEqual({
      valid: true,
      violations: [],
      warnings: [],
      stateSizeBytes: null,
      flags: [],
      stored: {
        checked: 1,
        failing: 1,
        samples: [{ schemaLocation: '#/properties/level/minimum', keyword: 'minimum', path: '/level', count: 1 }],
        cursor: null,
      },
    });
    expect(fault(await check(project, { schema, scan: true, cursor: 'x' }, 'user-state'))).toEqual([
      400,
      'validation_error',
    ]);
  });
});

describe.concurrent('a scan', () => {
  test('is limited to one per account at a time: 409 limit_reached', async () => {
    const project = await server.newProject();
    await putState(project, { n: 1 });
    const scan = () => check(project, { schema: { required: ['m'] }, scan: true });
    const answers = await Promise.all(Array.from({ length: 8 }, scan));
    const faults = answers.map((answer) => fault(answer).join(' ')).filter((each) => each !== '200 ');
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults)).toEqual(new Set(['409 limit_reached']));
    const done = answers.find(({ status }) => status === 200);
    expect(done?.json).toMatchObject({ stored: { checked: 1, failing: 1, cursor: null } });
    expect((await scan()).status).toBe(200);
  });

  test('counts the user states that a schema would make unwritable, over all slices', async () => {
    const project = await server.newProject();
    const userStates = `${project.path}/user-states/production`;
    const headers = { ...project.developer.bearer, ...create };
    const write = (n: number) =>
      server.call('PATCH', `${userStates}/player-${n}`, {
        headers,
        body: { ops: [{ op: 'add', path: '/level', value: n % 3 }] },
      });
    for (const answer of await Promise.all(Array.from({ length: 30 }, (_, n) => write(n)))) expect(answer.status).toBe(200);
    const schema = { properties: { level: { maximum: 1 } } };
    let [checked, failing, cursor] = [0, 0, null as string | null];
    do {
      const { stored } = (await check(project, { schema, scan: true, cursor }, 'user-state')).json as {
        stored: { checked: number; failing: number; cursor: string | null };
      };
      checked += stored.checked;
      failing += stored.failing;
      cursor = stored.cursor;
    } while (cursor !== null);
    expect([checked, failing]).toEqual([30, 10]);
    await put(project, { mode: 'enforce', schema }, create, 'user-state');
    const again = (n: number) =>
      server.call('PATCH', `${userStates}/player-${n}`, {
        headers: { ...project.developer.bearer, ...at(1) },
        body: { ops: [{ op: 'add', path: '/name', value: 'Ada' }] },
      });
    expect([(await again(1)).status, (await again(2)).status]).toEqual([200, 400]);
  });
});

describe.concurrent('a check of flags', () => {
  test('reports the faults of each, and ignores other members', async () => {
    const project = await server.newProject();
    const enabled = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' };
    const flags = {
      right: enabled,
      typo: { ...enabled, defaultVariant: 'onn' },
      mixed: { ...enabled, variants: { on: true, off: 'no' } },
      reference: { ...enabled, targeting: { if: [{ $ref: 'missing' }, 'on', 'off'] } },
      throws: { ...enabled, targeting: { if: [true, 'neither'] } },
    };
    const answer = await check(project, { state: { flags } });
    const { valid, flags: found } = answer.json as { valid: boolean; flags: { flag: string; message: string }[] };
    expect([valid, found.map(({ flag }) => flag).sort()]).toEqual([false, ['mixed', 'reference', 'throws', 'typo']]);
    expect((await check(project, { state: { flags: { right: enabled } } })).json).toMatchObject({ valid: true, flags: [] });
    expect((await check(project, { state: { flags: 1 } })).json).toMatchObject({ valid: false });
  });
});

describe.concurrent('a project that checks its flags', () => {
  const enabled = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' };
  const typo = { ...enabled, defaultVariant: 'onn' };
  const setting = (project: Project, body: unknown) =>
    server.call('PATCH', project.path, { headers: project.developer.bearer, body });
  const patchState = (project: Project, ops: unknown, precondition: Record<string, string>) =>
    server.call('PATCH', `${project.path}/public-state/production`, {
      headers: { ...project.developer.bearer, ...precondition },
      body: { ops },
    });
  async function checked() {
    const project = await server.newProject();
    expect((await setting(project, { flagsCheck: 'enforce' })).json).toMatchObject({ flagsCheck: 'enforce' });
    return project;
  }

  test('refuses a write with unusable flags, and nothing is stored', async () => {
    const project = await checked();
    expect(await putState(project, { flags: { right: enabled, 'a/b': typo } })).toMatchObject({
      status: 400,
      json: {
        error: 'validation_error',
        message:
          'the state has faulty flags: /flags/a~1b the flag cannot be used: "defaultVariant" must name one of the variants',
        violations: [{ path: '/flags/a~1b', keyword: 'flags' }],
      },
    });
    const branch = { ...enabled, targeting: { if: [{ '==': [{ var: 'tier' }, 'gold'] }, 'onn', 'on'] } };
    expect((await putState(project, { flags: { branch } })).json).toMatchObject({
      violations: [{ path: '/flags/branch', message: 'its rules name an unknown variant: "onn"' }],
    });
    expect((await putState(project, { flags: [] })).json).toMatchObject({ violations: [{ path: '/flags' }] });
    expect(fault(await putState(project, { flags: { typo } }, at(7)))).toEqual([412, 'version_conflict']);
    const path = `${project.path}/public-state/production`;
    expect((await server.call('GET', path, { headers: project.developer.bearer })).status).toBe(204);
    expect((await putState(project, { flags: { right: enabled } })).status).toBe(200);
    const ops = [{ op: 'replace', path: '/flags/right/defaultVariant', value: 'evnet' }];
    expect(await patchState(project, ops, at(1))).toMatchObject({
      status: 400,
      json: { violations: [{ path: '/flags/right', keyword: 'flags' }] },
    });
    expect((await patchState(project, [{ op: 'add', path: '/flags/new', value: enabled }], at(1))).status).toBe(200);
  });

  test('accepts documents without flags, and rules about attributes that nobody has', async () => {
    const project = await checked();
    expect((await putState(project, { shop: { flag: typo } })).status).toBe(200);
    const rules = [
      { if: [{ ends_with: [{ var: 'email' }, '@studio.example'] }, 'on', 'off'] },
      { if: [{ starts_with: [{ var: 'email' }, 'a'] }, 'on', null] },
      { if: [{ sem_ver: [{ var: 'version' }, '>=', '1.2.3'] }, 'on', 'off'] },
      { if: [{ in: [{ var: 'country' }, ['DE', 'FR']] }, 'on', 'off'] },
      { if: [{ '>': [{ var: 'level' }, 7] }, 'on', 'off'] },
      { fractional: [{ cat: [{ var: '$flagd.flagKey' }, { var: 'email' }] }, ['on', 20], ['off', 80]] },
      {
        fractional: [
          ['on', 20],
          ['off', 80],
        ],
      },
      {
        if: [
          { $ref: 'tester' },
          'on',
          {
            fractional: [
              ['on', 1],
              ['off', 9],
            ],
          },
        ],
      },
    ];
    const flags = Object.fromEntries(rules.map((targeting, n) => [`f${n}`, { ...enabled, targeting }]));
    const $evaluators = { tester: { ends_with: [{ var: 'email' }, '@studio.example'] } };
    expect((await putState(project, { flags, $evaluators }, at(1))).json).toMatchObject({ version: 2 });
  });

  test('ignores user states and other projects, and stops when the setting is off', async () => {
    const project = await checked();
    expect((await setting(project, { name: 'Still checked' })).json).toMatchObject({ flagsCheck: 'enforce' });
    expect((await putState(project, { flags: { typo } })).status).toBe(400);
    const userState = await server.call('PATCH', `${project.path}/user-states/production/ada`, {
      headers: { ...project.developer.bearer, ...create },
      body: { ops: [{ op: 'add', path: '/flags', value: { typo } }] },
    });
    expect(userState.status).toBe(200);
    expect((await putState(await server.newProject(), { flags: { typo } })).status).toBe(200);
    await setting(project, { flagsCheck: 'off' });
    expect((await putState(project, { flags: { typo } })).status).toBe(200);
    expect((await patchState(project, [{ op: 'add', path: '/x', value: 1 }], at(1))).status).toBe(200);
  });

  test('checks them after the schema, if there is one', async () => {
    const project = await checked();
    await put(project, { mode: 'enforce', schema: { required: ['shop'] } });
    expect((await putState(project, { flags: { typo } })).json).toMatchObject({ violations: [{ keyword: 'required' }] });
    expect((await putState(project, { shop: 1, flags: { typo } })).json).toMatchObject({
      violations: [{ keyword: 'flags' }],
    });
    expect((await putState(project, { shop: 1, flags: { right: enabled } })).status).toBe(200);
  });

  test.each([[{ flagsCheck: 'report' }], [{ flagsCheck: null }], [{ flagsCheck: true }]])('refuses %j', async (body) => {
    const project = await server.newProject();
    expect(fault(await setting(project, body))).toEqual([400, 'validation_error']);
  });
});

describe.concurrent('a check', () => {
  test('of a schema says if the schema is valid', async () => {
    const project = await server.newProject();
    expect((await check(project, { schema: shop })).json).toEqual({
      valid: true,
      violations: [],
      warnings: [],
      stateSizeBytes: null,
      flags: [],
    });
    expect((await check(project, { schema: { type: 'x' } })).json).toMatchObject({
      valid: false,
      violations: [{ path: '/type', keyword: 'type' }],
    });
  });

  test('of a schema warns about unknown keywords, and refuses unknown ones with x-', async () => {
    const project = await server.newProject();
    expect((await check(project, { schema: { propertys: {} } })).json).toMatchObject({
      valid: true,
      warnings: [
        { schemaLocation: '#/propertys', message: expect.stringMatching(/"properties"/) },
        { schemaLocation: '#' },
      ],
    });
    const slip = { properties: { gold: { 'x-wrte': 'server' } } };
    expect((await check(project, { schema: slip })).json).toMatchObject({
      valid: false,
      violations: [{ path: '/properties/gold/x-wrte', keyword: 'x-wrte' }],
    });
    expect(fault(await put(project, { mode: 'enforce', schema: slip }))).toEqual([400, 'validation_error']);
    const marked = { 'x-ui': { order: ['gold'] }, required: ['gold'] };
    expect((await put(project, { mode: 'enforce', schema: marked })).json).toMatchObject({ schema: marked, warnings: [] });
  });

  test.each([
    [{}],
    [{ state: {}, schema: true }],
    [{ schema: true, scan: 1 }],
    [{ state: {}, scan: true }],
    [{ state: [] }],
    [{ ops: {} }],
  ])('of %j: 400', async (body) => {
    const project = await server.newProject();
    expect((await check(project, body)).status).toBe(400);
  });
});
