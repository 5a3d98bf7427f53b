/**
 * Makes random changes while the server is killed repeatedly. The audit trail must then contain each change exactly once, and replaying it
 * from the first record must yield the current accounts. `HOLDFAST_AUDIT_FULL=1` makes 10,000 changes.
 *
 * @see docs/contract.md §8.10
 */
import type { AuditRecordBody } from '@holdfast/contract';
import { expect, test } from 'vitest';
import { issueDeveloperToken, openKeyring } from '../../packages/server/src/cli/operator.ts';
import { readConfig } from '../../packages/server/src/config/config.ts';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { createAccount } from '../../packages/server/src/management/accounts.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { createRandom, freshSeed, type Random } from '../../tooling/random.ts';
import { type ServerProcess, startServerProcess } from '../../tooling/server-process.ts';
import { type Answer, call } from '../support/client.ts';
import { withPlace } from '../support/place.ts';

const isFull = process.env.HOLDFAST_AUDIT_FULL === '1';
/** Fewer changes per account than the trail records individually in a day. */
const size = isFull ? { calls: 10_000, accounts: 12, kills: 25 } : { calls: 240, accounts: 2, kills: 2 };
const workersOfAccount = 3;

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Changes sent to one account, each under a name that its audit record also yields. */
class Ledger {
  readonly done = new Set<string>();
  /** Changes whose answer was lost when the server was killed. */
  readonly unknown = new Set<string>();
}

/** The name of a change, built from the values that only this change sets or removes. */
function nameOf({ action, target, detail }: AuditRecordBody): string {
  switch (action) {
    case 'project.create':
    case 'project.delete':
    case 'api_key.revoke':
      return `${action} ${target}`;
    case 'api_key.create':
      return `${action} ${detail.name?.to}`;
    case 'identity_provider.delete':
      return `${action} ${target} ${detail.clientId?.from}`;
    case 'sign_in_settings.update':
      return `${action} ${target} ${detail.primaryColor?.to}`;
    case 'identity_provider.update':
      return `${action} ${target} ${detail.clientId?.to}`;
    default:
      return `${action} ${target} ${detail.name?.to}`;
  }
}

test('the trail has every change once, however often the server is killed', isFull ? { timeout: 3_600_000 } : {}, () =>
  withPlace(async ({ dataDir, settings, openParallel }) => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const port = await freePort();
    const start = () => startServerProcess({ dataDir, port, env: { ...settings, SVC_DEMO: 'off' } });
    let server: ServerProcess = await start();
    const store = await openParallel();
    const { baseUrl } = server;
    let up = Promise.resolve();
    let calls = 0;

    const tokenOf = tokens(store, { SVC_DATA_DIR: dataDir, SVC_BASE_URL: baseUrl, ...settings });
    const accounts = await Promise.all(
      Array.from({ length: size.accounts }, async (_, index) => {
        const { accountId } = await createAccount(store, { name: `Account ${index}` }, Date.now());
        const headers = { Authorization: `Bearer ${await tokenOf(accountId)}` };
        const send: Send = (method, path, body) =>
          call(baseUrl, method, `/v1/${accountId}${path}`, { headers, ...(body !== undefined && { body }) });
        return { accountId, headers, send, ledger: new Ledger() };
      }),
    );

    /** Sends a change and records it under `change`; undefined when its outcome is unknown. */
    const changing =
      (send: Send, { done, unknown }: Ledger) =>
      async (change: string, method: string, path: string, body?: unknown): Promise<Answer | undefined> => {
        calls++;
        await up;
        try {
          const answer = await send(method, path, body);
          if (answer.status < 300) done.add(change);
          else expect([404, 503], answer.text).toContain(answer.status);
          return answer;
        } catch (error) {
          if (!(error instanceof Error && 'code' in error)) throw error;
          unknown.add(change);
          return undefined;
        }
      };

    const workers = accounts.flatMap(({ accountId, send, ledger }, account) =>
      Array.from({ length: workersOfAccount }, (_, number) => {
        const random = createRandom(seed + account * workersOfAccount + number);
        const worker = createWorker(accountId, `w${number}`, random, changing(send, ledger), async (path) => {
          await up;
          return send('GET', path);
        });
        return (async () => {
          while (calls < size.calls) await worker().catch(afterKill);
        })();
      }),
    );
    const killing = (async () => {
      for (let kill = 1; kill <= size.kills; kill++) {
        while (calls < (size.calls * kill) / (size.kills + 1)) await new Promise((resolve) => setTimeout(resolve, 5));
        const { promise, resolve } = Promise.withResolvers<void>();
        up = promise;
        await server.kill();
        server = await start();
        resolve();
      }
    })();
    try {
      await Promise.all([...workers, killing]);
      for (const { accountId, headers, send, ledger } of accounts) {
        const text = await (
          await fetch(`${baseUrl}/v1/${accountId}/audit`, { headers: { ...headers, Accept: 'application/x-ndjson' } })
        ).text();
        const records = text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as AuditRecordBody)
          .reverse();
        expect(records.map(({ id }) => id)).toEqual(records.map((_, index) => String(index + 1)));
        expect(new Set(records.map(({ requestId }) => requestId)).size).toBe(records.length);
        const names = records.map(nameOf);
        expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
        expect([...ledger.done].filter((name) => !names.includes(name))).toEqual([]);
        expect(names.filter((name) => !ledger.done.has(name) && !ledger.unknown.has(name))).toEqual([]);
        expect(await asItIs(send)).toEqual(replayed(records));
      }
      const created = accounts.reduce((sum, { ledger }) => sum + ledger.done.size, 0);
      expect(created).toBeGreaterThan(size.calls * 0.7);
    } finally {
      await store.close();
      await server.stop();
    }
  }),
);

/** Ignores the error of a read cut off by a kill of the server; rethrows any other. */
function afterKill(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error;
}

function tokens(store: Store, environment: Readonly<Record<string, string>>): (accountId: string) => Promise<string> {
  const read = readConfig(environment);
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const keyring = openKeyring(store, read.config, () => environment.SVC_BASE_URL as string);
  return async (accountId) => (await issueDeveloperToken(keyring, accountId, 2)).developerToken;
}

/** Returns a function that makes one change, in projects and a provider that no other worker uses. */
function createWorker(
  accountId: string,
  worker: string,
  random: Random,
  change: (name: string, method: string, path: string, body?: unknown) => Promise<Answer | undefined>,
  read: (path: string) => Promise<Answer>,
): () => Promise<void> {
  let number = 0;
  const slugs: string[] = [];
  const keys: string[] = [];
  const provider = `oidc.${worker}`;

  const makeProject = async (mark: string) => {
    const slug = `p-${mark}`;
    await change(`project.create projects/${slug}`, 'POST', '/projects', { slug });
    slugs.push(slug);
  };
  const project = () => random.pick(slugs);
  const changes: readonly ((mark: string) => Promise<unknown>)[] = [
    makeProject,
    async (mark) => {
      const slug = project();
      await change(`project.update projects/${slug} ${mark}`, 'PATCH', `/projects/${slug}`, { name: mark });
    },
    async () => {
      if (slugs.length < 4) return;
      const [slug = ''] = slugs.splice(random.below(slugs.length), 1);
      await change(`project.delete projects/${slug}`, 'DELETE', `/projects/${slug}`);
    },
    async (mark) => {
      const slug = project();
      const body = { name: mark, kind: 'publishable', environments: ['staging'] };
      const created = await change(`api_key.create ${mark}`, 'POST', `/projects/${slug}/api-keys`, body);
      if (created?.status === 201) keys.push(`projects/${slug}/api-keys/${(created.json as { id: string }).id}`);
    },
    async () => {
      const [path] = keys.splice(random.below(keys.length || 1), 1);
      if (path === undefined) return;
      await change(`api_key.revoke ${path}`, 'DELETE', `/${path}`);
    },
    async (mark) => {
      const path = `projects/${project()}/auth/end-user/config`;
      const primaryColor = `#${Buffer.from(mark.slice(-3)).toString('hex')}`;
      await change(`sign_in_settings.update ${path} ${primaryColor}`, 'PATCH', `/${path}`, { primaryColor });
    },
    async (mark) => {
      const path = `identity-providers/${provider}`;
      const body = { clientId: mark, issuer: 'https://issuer.example', clientSecret: null };
      await change(`identity_provider.update ${path} ${mark}`, 'PUT', `/${path}`, body);
    },
    async () => {
      const path = `identity-providers/${provider}`;
      const now = await read(`/${path}`);
      if (now.status !== 200) return;
      const { clientId } = now.json as { clientId: string };
      await change(`identity_provider.delete ${path} ${clientId}`, 'DELETE', `/${path}`);
    },
    async (mark) => {
      await change(`account.update ${accountId} ${mark}`, 'PATCH', '', { name: mark });
    },
  ];
  return async () => {
    const mark = `${worker}-${(++number).toString(36).padStart(4, '0')}`;
    await (slugs.length === 0 ? makeProject : random.pick(changes))(mark);
  };
}

/** An account: its name if it was renamed, its projects and its providers. */
interface Replayed {
  name: string | undefined;
  readonly projects: Record<string, { name: string; color: string | null; readonly keys: Record<string, string> }>;
  readonly providers: Record<string, string>;
}

/** Returns the account as its complete trail describes it. */
function replayed(records: readonly AuditRecordBody[]): Replayed {
  const account: Replayed = { name: undefined, projects: {}, providers: {} };
  for (const { action, target, detail } of records) {
    const [, first = '', , third = ''] = target.split('/');
    const project = account.projects[first];
    const name = String(detail.name?.to);
    if (action === 'account.update') account.name = name;
    else if (action === 'project.create') account.projects[first] = { name, color: null, keys: {} };
    else if (action === 'project.delete') delete account.projects[first];
    else if (action === 'identity_provider.update') account.providers[first] = String(detail.clientId?.to);
    else if (action === 'identity_provider.delete') delete account.providers[first];
    else if (project === undefined) throw new Error(`${action} ${target}: there is no such project`);
    else if (action === 'project.update') project.name = name;
    else if (action === 'api_key.create') project.keys[third] = name;
    else if (action === 'api_key.revoke') delete project.keys[third];
    else if (action === 'sign_in_settings.update') project.color = String(detail.primaryColor?.to);
    else throw new Error(`nobody has done ${action}`);
  }
  return account;
}

/** Returns the account as the API shows it. */
async function asItIs(send: Send): Promise<Replayed> {
  const read = async <Body>(path: string) => (await send('GET', path)).json as Body;
  const { name } = await read<{ name: string }>('');
  const account: Replayed = { name: /^w\d/.test(name) ? name : undefined, projects: {}, providers: {} };
  for (let cursor: string | null = ''; cursor !== null; ) {
    type Projects = { items: { slug: string; name: string }[]; cursor: string | null };
    const page: Projects = await read(`/projects${cursor && `?cursor=${cursor}`}`);
    for (const { slug, name } of page.items) {
      const { items } = await read<{ items: { id: string; name: string }[] }>(`/projects/${slug}/api-keys`);
      const { primaryColor: color } = await read<{ primaryColor: string | null }>(`/projects/${slug}/auth/end-user/config`);
      account.projects[slug] = { name, color, keys: Object.fromEntries(items.map((key) => [key.id, key.name])) };
    }
    cursor = page.cursor;
  }
  const { items } = await read<{ items: { providerId: string; clientId: string }[] }>('/identity-providers');
  for (const { providerId, clientId } of items) account.providers[providerId] = clientId;
  return account;
}
