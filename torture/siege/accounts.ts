/** What an account may keep, count and reach. Most of these are judged by a response, not by a time. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { type Api, ask, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import type { ProjectPlace } from '../../tooling/credentials.ts';
import { asDeveloper, createProject, projectPath, publicStatePath, userStatePath } from '../../tooling/credentials.ts';
import { allowSignIn, authorizeQuery, openBrowser, refresh, signUp } from './browser.ts';
import type { SiegeCase, Target } from './case.ts';
import { inwardName } from './own-names.ts';

const requestsPerMinute = 600;
/** Limits are taken in shares, so some more requests may pass. */
const requestsMax = requestsPerMinute * 1.2;

/** Calls of many developers of the attacker's account, each with a separate limit, where limits are per developer. */
async function developers(target: Target, calls: number): Promise<Api[]> {
  const count = Math.ceil(calls / (requestsPerMinute / 2));
  const tokens = Array.from({ length: count }, (_, index) =>
    target.operator.developerToken(target.accountId, `developer-${index}-${target.nextAddress()}`),
  );
  return (await Promise.all(tokens)).map((token) => createApi(target.baseUrl, `Bearer ${token}`));
}

/** Runs `work` for each number below `count`, several in parallel, until it returns false. Returns how often it did not. */
async function asManyAs(count: number, together: number, work: (index: number) => Promise<boolean>): Promise<number> {
  let next = 0;
  let done = 0;
  let isOver = false;
  const runner = async () => {
    while (next < count && !isOver) {
      if (await work(next++)) done++;
      else isOver = true;
    }
  };
  await Promise.all(Array.from({ length: together }, runner));
  return done;
}

let projects = 0;

/** A project used by one attempt only. */
async function newProject(target: Target): Promise<ProjectPlace & { readonly apiKey: string }> {
  const slug = `project-${++projects}`;
  return { accountId: target.accountId, slug, apiKey: await createProject(target, slug) };
}

export const accountCases: readonly SiegeCase[] = [
  {
    name: 'as many API keys as can be had, and their list',
    isQuick: true,
    async prepare(target) {
      const path = `${projectPath(await newProject(target))}/api-keys`;
      const most = target.sized(20_000, 3_000);
      const apis = await developers(target, most + 10);
      const made = await asManyAs(most, 64, async (index) => {
        const api = apis[index % apis.length] as Api;
        return (await api.send('POST', path, { body: { name: `key ${index}` } })).status === 201;
      });
      return async () => {
        const { text } = await (apis[0] as Api).send('GET', path);
        for (const api of apis) api.close();
        const faults = made < most ? [] : [`nothing bounds the API keys of a project: ${made} were made`];
        return { sent: `${made} keys`, note: `a list of ${Math.round(text.length / 1_000)} KB`, faults };
      };
    },
  },
  {
    name: 'refreshing for a new allowance',
    isQuick: true,
    async prepare(target) {
      expectStatus(await allowSignIn(target), 200);
      let tokens = await signUp(target, `refreshing-${target.nextAddress()}@siege.example`);
      const path = userStatePath(target, 'development');
      return async () => {
        let served = 0;
        for (let round = 0; round < 3; round++) {
          const api = createApi(target.baseUrl, `Bearer ${tokens.accessToken}`);
          served += await asManyAs(requestsPerMinute + 50, 32, async () => (await api.send('GET', path)).status < 300);
          api.close();
          if (served > requestsMax) break;
          tokens = await refresh(target, tokens.refreshToken);
        }
        const faults = served > requestsMax ? [`one end user was served ${served} requests in a minute`] : [];
        return { sent: 'GETs of one end user with three access tokens', note: `${served} served`, faults };
      };
    },
  },
  {
    name: 'an identity provider whose name leads to this machine',
    isQuick: true,
    async prepare(target) {
      const canary = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(canary, 'listening');
      const { port } = canary.address() as { port: number };
      let connections = 0;
      canary.on('connection', () => connections++);
      const api = createApi(target.baseUrl, `Bearer ${target.developerToken}`);
      const issuer = `https://${inwardName}:${port}`;
      const body = { name: 'Inward', clientId: 'siege', clientSecret: 'siege', issuer };
      const { status } = await api.send('PUT', `/v1/${target.accountId}/identity-providers/oidc.inward`, { body });
      api.close();
      expectStatus(await allowSignIn(target, { allowedIdps: ['oidc.inward'] }), 200);
      return async () => {
        const query = new URLSearchParams(authorizeQuery(target));
        const page = await openBrowser(target).get(`/authorize/with/oidc.inward?${query}`);
        await sleep(50);
        canary.close();
        const faults = connections > 0 ? [`the server connected to 127.0.0.1:${port} for https://${inwardName}`] : [];
        return { sent: `https://${inwardName}`, note: `set up: ${status}, asked for: ${page.status}`, faults };
      };
    },
  },
  {
    name: 'an old access token of a project that was made again',
    isQuick: true,
    async prepare(target) {
      const place = await newProject(target);
      const token = await target.operator.playerToken(place, 'old');
      await sleep(1_100); // times in tokens are whole seconds
      return async () => {
        const developer = createApi(target.baseUrl, `Bearer ${target.developerToken}`);
        const player = createApi(target.baseUrl, `Bearer ${token}`);
        const path = userStatePath(place, 'development');
        const before = await player.send('GET', path);
        expectStatus(await developer.send('DELETE', projectPath(place)), 204);
        const body = { slug: place.slug };
        expectStatus(await developer.send('POST', `/v1/${target.accountId}/projects`, { body }), 201);
        const after = await player.send('GET', path);
        await developer.send('DELETE', projectPath(place));
        developer.close();
        player.close();
        const faults = after.status < 400 ? [`the token of the project before was answered ${after.status}`] : [];
        return { sent: 'one GET', note: `${before.status} before, ${after.status} after`, faults };
      };
    },
  },
  {
    name: 'comments that no quota counts',
    isQuick: true,
    async prepare(target) {
      const place = await newProject(target);
      const writes = 30;
      const api = createApi(target.baseUrl, `ApiKey ${place.apiKey}`);
      const stored = async () => {
        const { text } = await ask(asDeveloper(target), 200, 'GET', `/v1/${target.accountId}/usage`);
        return (JSON.parse(text) as { storageBytes: { used: number } }).storageBytes.used;
      };
      const before = await stored();
      return async () => {
        const body = { state: {}, comment: 'c'.repeat(1_000) };
        const path = publicStatePath(place, 'development');
        for (let version = 0; version < writes; version++) {
          expectStatus(await api.send('PUT', path, { headers: writesAfter(version), body }), 200);
        }
        const counted = (await stored()) - before;
        api.close();
        const faults = counted < writes * 1_000 ? [`${writes} comments of 1,000 characters counted ${counted} bytes`] : [];
        return { sent: `${writes} writes of {}`, note: `${counted} bytes counted`, faults };
      };
    },
  },
  {
    name: 'redirect URIs that end a directive of the policy',
    isQuick: true,
    isApart: true,
    prepare: (target) => async () => {
      const hosts = ['a.example;sandbox', 'a.example,b.example', "a.example;script-src'unsafe-inline'"];
      const statuses: number[] = [];
      for (const host of hosts)
        statuses.push((await allowSignIn(target, { redirectUris: [`https://${host}/back`] })).status);
      const faults = hosts.flatMap((host, index) =>
        statuses[index] === 400 ? [] : [`the redirect URI https://${host}/back was answered ${statuses[index]}`],
      );
      expectStatus(await allowSignIn(target), 200);
      return { sent: `${hosts.length} redirect URIs`, note: statuses.join(', '), faults };
    },
  },
  {
    name: 'the deletion of a project with many versions and keys',
    isLarge: true,
    async prepare(target) {
      const place = await newProject(target);
      const versions = 1_500;
      const apis = await developers(target, 3 * versions);
      const body = JSON.stringify({ state: { text: 'x'.repeat(30_000) } });
      await Promise.all(
        environments.map(async (environment, shift) => {
          const path = publicStatePath(place, environment);
          for (let version = 0; version < versions; version++) {
            const api = apis[(version + shift) % apis.length] as Api;
            expectStatus(await api.send('PUT', path, { headers: writesAfter(version), body }), 200);
          }
        }),
      );
      return async () => {
        const { status } = await (apis[0] as Api).send('DELETE', projectPath(place));
        for (const api of apis) api.close();
        return { sent: `one DELETE of ${3 * versions} versions of 30 KB`, note: `status ${status}` };
      };
    },
  },
];
