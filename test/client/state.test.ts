/** State through the client, against a real server. */
import { createClient, createStateClient, HoldfastError, isHoldfastError } from '@holdfast/client';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startCuttingProxy } from '../../tooling/proxies/cutting-proxy.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

interface Save {
  gold: number;
  items?: string[];
}

/** Counts the requests of a client and keeps their bodies. */
function watched() {
  const requests: { method: string; body: unknown; headers: Headers }[] = [];
  const watching: typeof fetch = (input, init) => {
    requests.push({ method: init?.method ?? 'GET', body: init?.body, headers: new Headers(init?.headers) });
    return fetch(input, init);
  };
  return { requests, fetch: watching };
}

describe('public state', () => {
  test('is absent, written, patched, listed and restored', async () => {
    const { publicState } = await world.clientOf<{ publicState: Save }>(await world.newProject());
    expect(await publicState.get()).toBeNull();
    const first = await publicState.put({ gold: 1 }, { ifVersion: null, comment: 'first' });
    expect(first).toEqual({ version: 1, state: { gold: 1 }, comment: 'first', stateSizeBytes: 10, stale: false });
    const second = await publicState.patch([{ op: 'replace', path: '/gold', value: 2 }], { ifVersion: 1 });
    expect(second).toMatchObject({ version: 2, state: { gold: 2 }, comment: null });
    expect(await publicState.get()).toEqual(second);
    expect(await publicState.versions()).toEqual([second, first]);
    expect(await publicState.version(1)).toEqual(first);
    expect(await publicState.version(9)).toBeNull();
    await expect(publicState.version(1.5)).rejects.toMatchObject({ message: 'a version is a whole number: 1.5 is none' });
    const page = await publicState.history({ limit: 1 });
    expect(page).toMatchObject({ items: [{ version: 2, author: { kind: 'api_key', name: 'test' } }], hasMore: true });
    expect(await publicState.history({ cursor: page.cursor })).toMatchObject({ items: [{ version: 1 }], hasMore: false });
    expect(await publicState.rollback(1)).toMatchObject({ version: 3, state: { gold: 1 }, comment: 'Back to version 1' });
    await expect(publicState.rollback(9)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  test('refuses a stale write with the stored version', async () => {
    const { publicState } = await world.clientOf<{ publicState: Save }>(await world.newProject());
    await publicState.put({ gold: 1 }, { ifVersion: null });
    const failure = await publicState.put({ gold: 2 }, { ifVersion: null }).catch((caught) => caught);
    expect(isHoldfastError(failure, 'version_conflict') && failure.currentVersion).toBe(1);
    expect(failure).toMatchObject({ name: 'HoldfastError', status: 412, requestId: expect.any(String) });
    await expect(publicState.patch([{ op: 'remove', path: '/x' }], { ifVersion: 1 })).rejects.toMatchObject({
      code: 'patch_path_not_found',
      status: 400,
    });
  });
});

describe('update', () => {
  test('creates a document from initial or an empty object, and writes the smallest patch', async () => {
    const { requests, fetch } = watched();
    const { publicState } = await world.clientOf<{ publicState: Save }>(await world.newProject(), { fetch });
    const add = (draft: Save) => {
      draft.gold += 5;
    };
    expect(await publicState.update(add, { initial: { gold: 10, items: ['key'] }, comment: 'begin' })).toMatchObject({
      version: 1,
      state: { gold: 15, items: ['key'] },
      comment: 'begin',
    });
    expect(await publicState.update(add)).toMatchObject({ version: 2, state: { gold: 20, items: ['key'] } });
    expect(await publicState.update((draft) => ({ ...draft, items: ['key', 'map'] }))).toMatchObject({ version: 3 });
    expect(await publicState.update(() => {})).toMatchObject({ version: 3, state: { gold: 20, items: ['key', 'map'] } });
    expect(requests.map(({ method, body }) => (body ? `${method} ${body}` : method))).toEqual([
      'GET',
      'PATCH {"comment":"begin","ops":[{"op":"replace","path":"","value":{"gold":15,"items":["key"]}}]}',
      'PATCH {"ops":[{"op":"replace","path":"/gold","value":20}]}',
      'PATCH {"ops":[{"op":"add","path":"/items/1","value":"map"}]}',
      'GET', // nothing to write, but there may be a newer version
    ]);
    expect(requests.every(({ method, headers }) => method === 'GET' || headers.has('Idempotency-Key'))).toBe(true);
  });

  test('creates an absent state, even if the change leaves it empty', async () => {
    const { publicState } = await world.clientOf(await world.newProject());
    expect(await publicState.update(() => {})).toMatchObject({ version: 1, state: {} });
  });

  describe('decides on the newest document', () => {
    interface Shop {
      stock: number;
      ids?: number[];
      claimed?: boolean;
    }
    /** Returns a client that has read version 1. Another client has since written version 2. */
    async function openOutdated() {
      const project = await world.newProject();
      const { requests, fetch } = watched();
      const { userState } = await world.userClientOf<{ userState: Shop }>(project, 'ada', { fetch });
      await userState.update((draft) => ({ ...draft, stock: 0, claimed: true }), { initial: { stock: 0 } });
      const other = await world.userClientOf<{ userState: Shop }>(project);
      await other.userState.update(() => ({ stock: 3, ids: [4], claimed: false }));
      requests.length = 0;
      return { userState, requests };
    }

    test('when the change fails on an older one', async () => {
      const { userState } = await openOutdated();
      const pushed = await userState.update((draft) => {
        draft.ids?.push(5);
        if (draft.ids === undefined) throw new Error('no ids');
      });
      expect(pushed).toMatchObject({ version: 3, state: { ids: [4, 5] } });
      const bought = (draft: Shop) => {
        if (draft.stock === 0) throw new Error('sold out');
        return { ...draft, stock: draft.stock - 1 };
      };
      const { userState: second } = await openOutdated();
      expect(await second.update(bought)).toMatchObject({ version: 3, state: { stock: 2 } });
    });

    test('when the change has no effect on an older one', async () => {
      const { userState } = await openOutdated();
      const claimed = await userState.update((draft) => {
        if (!draft.claimed) draft.claimed = true;
      });
      expect(claimed).toMatchObject({ version: 3, state: { claimed: true, stock: 3 }, stale: false });
    });

    test('and fails if the change fails there too', async () => {
      const { userState, requests } = await openOutdated();
      let runs = 0;
      const failing = () => {
        runs++;
        throw new Error('never');
      };
      await expect(userState.update(failing)).rejects.toThrow('never');
      expect([runs, requests.length]).toEqual([2, 1]);
    });

    test('without another read when a listener already has it', async () => {
      const { userState, requests } = await openOutdated();
      await new Promise<void>((resolve) => {
        const end = userState.subscribe(({ version }) => {
          if (version !== 2) return;
          resolve();
          queueMicrotask(() => end());
        });
      });
      requests.length = 0;
      await userState.update((draft) => {
        draft.stock--;
      });
      expect(requests.map(({ method }) => method)).toEqual(['PATCH']);
    });
  });

  test('is repeated on the newer state when somebody else was faster', async () => {
    const project = await world.newProject();
    const [one, other] = await Promise.all([
      world.userClientOf<{ userState: Save }>(project),
      world.userClientOf<{ userState: Save }>(project),
    ]);
    await one.userState.update((draft) => ({ ...draft, gold: 1 }));
    await other.userState.update((draft) => ({ ...draft, items: ['key'] }));
    expect(await one.userState.update((draft) => ({ ...draft, gold: draft.gold + 1 }))).toEqual({
      version: 3,
      state: { gold: 2, items: ['key'] },
      stale: false,
    });
    await expect(
      one.userState.update(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await expect(one.userState.patch([{ op: 'add', path: '/gold', value: 7 }], { ifVersion: 3 })).resolves.toMatchObject({
      version: 4,
    });
    expect(await other.userState.get()).toMatchObject({ version: 4, state: { gold: 7 } });
  });

  test('counts once when its response is lost, even if others write before the repeat', async () => {
    const project = await world.newProject();
    const add = (draft: Save) => {
      draft.gold = (draft.gold ?? 0) + 1;
    };
    const direct = await world.clientOf<{ publicState: Save }>(project);
    let losses = 0;
    const proxy = await startCuttingProxy(world.server.baseUrl, async (method) => {
      if (method !== 'PATCH' || ++losses > 2) return false;
      if (losses === 2) await direct.publicState.update(add);
      return true;
    });
    const through = await world.clientOf<{ publicState: Save }>(project, { baseUrl: proxy.baseUrl });
    expect(await through.publicState.update(add)).toMatchObject({ version: 2, state: { gold: 2 } });
    expect(proxy.cuts).toBe(2);
    expect(proxy.seen).toEqual(
      new Map([
        ['GET 204', 1],
        ['PATCH 200', 2],
        ['PATCH 412', 1],
        ['GET 200', 1],
      ]),
    );
    proxy.stop();
  });

  test('keeps the digits of numbers that a double cannot hold', async () => {
    const project = await world.newProject();
    const path = `${project.path}/public-state/production`;
    const { apiKey } = await world.server.newApiKey(project);
    const headers = { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json' };
    const written = await fetch(world.server.baseUrl + path, {
      method: 'PUT',
      headers: { ...headers, 'If-None-Match': '*' },
      body: '{"state":{"id":9007199254740993,"twins":[{"id":1234567890123456789,"n":1},{"id":1234567890123456790,"n":2}],"far":1e400,"zero":-0,"n":1}}',
    });
    expect(written.status).toBe(200);
    interface Doc {
      id: number;
      twins: { id: number; n: number; long?: string }[];
      far: number;
      n: number;
      copy?: number;
    }
    const { publicState } = await world.clientOf<{ publicState: Doc }>(project);
    const record = await publicState.get();
    expect(record?.state).toMatchObject({ id: 9007199254740992, far: Number.POSITIVE_INFINITY, n: 1 });
    await publicState.update((draft) => {
      draft.n++;
      draft.copy = draft.id;
      draft.twins.reverse();
      for (const twin of draft.twins) twin.long = 'so long that the whole element is sent again';
    });
    const text = await (await fetch(world.server.baseUrl + path, { headers })).text();
    for (const part of [
      '"id":9007199254740993',
      '"copy":9007199254740993',
      /"twins":\[\{[^}]*"id":1234567890123456790[^}]*"n":2[^}]*\},\{[^}]*"id":1234567890123456789[^}]*"n":1/,
      '"far":1e400',
      '"zero":-0',
      '"n":2',
    ]) {
      expect(text).toMatch(part);
    }
    await publicState.rollback(1);
    const back = await (await fetch(world.server.baseUrl + path, { headers })).text();
    for (const part of ['9007199254740993', '1234567890123456789', '1e400', '-0']) expect(back).toContain(part);
    // Either of the two numbers could be meant.
    const copying = publicState.update((draft) => ({ ...draft, copy: draft.twins[0]?.id ?? 0 }));
    await expect(copying).rejects.toMatchObject({ code: 'inexact_number' });
    await expect(publicState.update((draft) => ({ ...draft, n: Number.NaN }))).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});

describe('calls', () => {
  test('are checked against a schema from any library, and keep members unknown to it', async () => {
    const project = await world.newProject();
    const plain = await world.clientOf(project);
    await plain.publicState.put({ gold: 1, newer: true }, { ifVersion: null });
    for (const [n, publicState] of [
      z.object({ gold: z.number(), level: z.number().default(1) }),
      v.object({ gold: v.number(), level: v.optional(v.number(), 1) }),
      type({ gold: 'number', level: 'number = 1', '+': 'delete' }),
    ].entries()) {
      const client = await world.clientOf<{ publicState: { gold: number; level: number } }>(project, {
        schema: { publicState },
      });
      expect((await client.publicState.get())?.state).toEqual({ gold: n + 1, level: 1 });
      await client.publicState.update((draft) => {
        draft.gold++;
      });
      expect((await plain.publicState.get())?.state).toEqual({ gold: n + 2, newer: true });
      const wrong = client.publicState.update((draft) => ({ ...draft, gold: 'much' as never }));
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_state', message: expect.stringContaining('gold') });
    }
  });

  test('reject with the reason of an aborted signal, and after a timeout', async () => {
    const client = await world.clientOf(await world.newProject());
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(client.publicState.get({ signal: aborted })).rejects.toThrow('enough');
    const never = createStateClient({
      baseUrl: 'http://127.0.0.1:1',
      accountId: 'acc_1',
      project: 'p',
      environment: 'production',
      auth: { apiKey: 'x' },
      fetch: (_, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    });
    await expect(never.publicState.get({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout', status: 0 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('left')), 20);
    await expect(never.publicState.get({ signal: controller.signal })).rejects.toThrow('left');
  });

  test('refuse an update without a function', async () => {
    const { publicState } = await world.clientOf(await world.newProject());
    const update = publicState.update({ gold: 1 } as never);
    await expect(update).rejects.toThrow('update needs a function that changes the document');
  });

  test('report the error of the service', async () => {
    const project = await world.newProject();
    const { publicState } = await world.clientOf(project, { auth: { apiKey: 'svck_no' } });
    await expect(publicState.get()).rejects.toSatisfy(
      (failure) => failure instanceof HoldfastError && failure.code === 'unauthorized' && failure.status === 401,
    );
  });

  test('wait as long as a refusal asks, unless that is too long', async () => {
    const project = await world.newProject();
    const { apiKey } = await world.server.newApiKey(project);
    const said = ['0', '3600'];
    let sent = 0;
    const limited: typeof fetch = async (input, init) => {
      sent++;
      const retryAfter = said.shift();
      if (retryAfter === undefined) return fetch(input, init);
      return new Response('{"error":"rate_limited","message":"slowly"}', {
        status: 429,
        headers: { 'Retry-After': retryAfter },
      });
    };
    const { publicState } = createClient({
      baseUrl: world.server.baseUrl,
      accountId: project.developer.accountId,
      project: project.slug,
      environment: 'production',
      auth: { apiKey },
      fetch: limited,
    });
    await expect(publicState.get()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3600 });
    expect(sent).toBe(2);
    expect(await publicState.get()).toBeNull();
  });
});
