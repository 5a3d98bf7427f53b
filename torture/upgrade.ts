/**
 * A rolling upgrade over PostgreSQL: two nodes of an earlier release serve a load, a node of this one starts beside them and upgrades the
 * schema, and they are replaced one by one. No request may fail, and no acknowledged data may be lost.
 */

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import type { AuthorizationCode } from '../packages/server/src/storage/contract/sign-ins.ts';
import { startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { type Wanted, withRelease } from '../tooling/check-out.ts';
import { runCommand, type ServerProcess, startServerProcess, withDataDir } from '../tooling/server-process.ts';

export interface RollingOptions extends Wanted {
  /** How long each of the four stages takes. */
  readonly seconds: number;
  /** Clients that write and read a document each, and as many that refresh tokens. */
  readonly clients: number;
}

export interface RollingReport {
  readonly operations: Readonly<Record<'writes' | 'reads' | 'refreshes', number>>;
  readonly faults: readonly string[];
}

/** A node as a load balancer sees it: once removed, it gets no new requests, and pending ones are awaited. */
interface Node {
  readonly server: ServerProcess;
  readonly underWay: Set<Promise<unknown>>;
}

/** The nodes that receive requests, in turn. */
class Balancer {
  readonly nodes: Node[] = [];
  #next = 0;

  async send(
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; etag: string | null; json: Record<string, unknown> }> {
    const node = this.nodes[this.#next++ % this.nodes.length] as Node;
    const sent = (async () => {
      const answer = await fetch(`${node.server.baseUrl}${path}`, init);
      const json = (await answer.json()) as Record<string, unknown>;
      return { status: answer.status, etag: answer.headers.get('etag'), json };
    })();
    node.underWay.add(sent);
    try {
      return await sent;
    } finally {
      node.underWay.delete(sent);
    }
  }

  add(server: ServerProcess): void {
    this.nodes.push({ server, underWay: new Set() });
  }

  /** Removes the oldest node, waits for its requests, and stops it. */
  async replace(): Promise<void> {
    const node = this.nodes.shift() as Node;
    await Promise.allSettled(node.underWay);
    await node.server.stop();
  }
}

const secretKey = Buffer.alloc(32, 7).toString('base64');
const client = { client_id: 'svc-developer', redirect_uri: 'http://127.0.0.1:8976/callback' };

/** Runs the upgrade and returns its figures, and every failure and loss. Rejects if the release is unavailable. */
export const rollingUpgrade = (options: RollingOptions): Promise<RollingReport> =>
  withRelease(options, (tree) =>
    withDataDir(async (work) => {
      const cluster = await startPostgres();
      try {
        return await upgradeUnder(options, tree, work, await cluster.createDatabase());
      } finally {
        await cluster.dispose();
      }
    }),
  );

async function upgradeUnder(options: RollingOptions, tree: string, work: string, url: string): Promise<RollingReport> {
  const env = {
    SVC_DATABASE_URL: url,
    SVC_SECRET_KEY: secretKey,
    SVC_BASE_URL: 'http://127.0.0.1:8787',
    SVC_LOG_LEVEL: 'error',
  };
  const oldCommand = join(tree, 'packages/server/bin/holdfast.mjs');
  const start = async (command?: string) =>
    startServerProcess({ dataDir: join(work, 'data'), port: await freePort(), env, command });
  const finish = () => runCommand(['upgrade', '--finish'], join(work, 'data'), env);
  const faults: string[] = [];
  const balancer = new Balancer();
  balancer.add(await start(oldCommand));
  balancer.add(await start(oldCommand));
  const create = ['account', 'create', '--name', 'Rolling', '--json'];
  const account = JSON.parse(await runCommand(create, join(work, 'data'), env, oldCommand)) as Account;
  const codes = await addCodes(tree, url, account.accountId, options.clients);
  const load = startLoad(balancer, account, codes, options.clients, faults);
  try {
    const stage = () => delay(options.seconds * 1_000);
    await stage();
    balancer.add(await start());
    await stage();
    await finish().then(
      () => faults.push('the upgrade was finished beside nodes of the old release'),
      () => {},
    );
    await balancer.replace();
    balancer.add(await start());
    await stage();
    await balancer.replace();
    await finish().catch((error: Error) => faults.push(`not finished: ${error.message}`));
    await stage();
    return { operations: await load.end(), faults };
  } finally {
    await load.end();
    for (const { server } of balancer.nodes) await server.kill();
  }
}

interface Account {
  readonly accountId: string;
  readonly developerToken: string;
}

const verifierOf = (code: string) => createHash('sha256').update(`verifier ${code}`).digest('base64url');

/** Adds authorization codes of developers, like a sign-in on the old release, and returns them. */
async function addCodes(tree: string, url: string, accountId: string, count: number): Promise<string[]> {
  const { openPostgresStore } = await import(join(tree, 'packages/server/src/storage/postgres/store.ts'));
  const store = await openPostgresStore({ url });
  const codes = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  for (const code of codes) {
    const codeChallenge = createHash('sha256').update(verifierOf(code)).digest('base64url');
    const record: AuthorizationCode = {
      accountId,
      slug: null,
      environment: null,
      clientId: client.client_id,
      subject: 'operator', // needs no membership
      scope: 'developer',
      email: null,
      name: null,
      redirectUri: client.redirect_uri,
      codeChallenge,
      expiresAt: Date.now() + 600_000,
    };
    await store.addAuthorizationCode(createHash('sha256').update(code).digest(), record);
  }
  await store.close();
  return codes;
}

type Counts = Record<'writes' | 'reads' | 'refreshes', number>;

/** Starts the clients. `end` stops them, and then looks for acknowledged but missing data. */
function startLoad(balancer: Balancer, account: Account, codes: readonly string[], clients: number, faults: string[]) {
  const counts: Counts = { writes: 0, reads: 0, refreshes: 0 };
  let isOver = false;
  const running = [
    ...Array.from({ length: clients }, (_, index) => writeAndRead(balancer, account, index, counts, () => isOver)),
    ...codes.map((code) => refresh(balancer, code, counts, () => isOver)),
  ].map((each) => each.catch((error: Error) => void faults.push(`${error.message} ${error.cause ?? ''}`)));
  return {
    async end(): Promise<Counts> {
      isOver = true;
      await Promise.all(running);
      return counts;
    },
  };
}

/** Writes a document repeatedly, with a key each time, and reads it back. Throws at the first failure or loss. */
async function writeAndRead(balancer: Balancer, account: Account, index: number, counts: Counts, isOver: () => boolean) {
  const headers = { Authorization: `Bearer ${account.developerToken}`, 'Content-Type': 'application/json' };
  const projects = `/v1/${account.accountId}/projects`;
  const demand = (answer: { status: number; json: unknown }, what: string) => {
    if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.json)}`);
  };
  const slug = `p${index}`;
  demand(await balancer.send(projects, { method: 'POST', headers, body: JSON.stringify({ slug }) }), 'a project');
  const path = `${projects}/${slug}/public-state/production`;
  const first = await balancer.send(path, {
    method: 'PUT',
    headers: { ...headers, 'If-None-Match': '*' },
    body: '{"state":{"n":0}}',
  });
  demand(first, 'the first write');
  let { etag } = first;
  let n = 0;
  while (!isOver()) {
    n += 1;
    const body = JSON.stringify({ ops: [{ op: 'replace', path: '/n', value: n }] });
    const more = { 'If-Match': etag as string, 'Idempotency-Key': `write-${index}-${n}` };
    const written = await balancer.send(path, { method: 'PATCH', headers: { ...headers, ...more }, body });
    demand(written, `write ${n}`);
    const repeated =
      n % 10 === 0 ? await balancer.send(path, { method: 'PATCH', headers: { ...headers, ...more }, body }) : written;
    if (repeated.etag !== written.etag) throw new Error(`the repeat of write ${n} was done again: ${repeated.status}`);
    etag = written.etag;
    counts.writes += 1;
    const read = await balancer.send(path, { headers });
    demand(read, `the read after write ${n}`);
    if (read.etag !== etag || (read.json.state as { n: number }).n !== n)
      throw new Error(`write ${n} is lost: ${JSON.stringify(read.json)}`);
    counts.reads += 1;
  }
  const { json } = await balancer.send(`${path}/history?limit=1`, { headers });
  const [newest] = json.items as { version: number }[];
  if (newest?.version !== n + 1) throw new Error(`of ${n + 1} versions ${newest?.version} are left`);
}

/** Exchanges a code, and refreshes repeatedly. Throws at the first failure. */
async function refresh(balancer: Balancer, code: string, counts: Counts, isOver: () => boolean) {
  const post = async (form: Record<string, string>): Promise<string> => {
    const answer = await balancer.send('/v1/auth/token', {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: client.client_id }),
    });
    if (answer.status !== 200) throw new Error(`a token request: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json.refresh_token as string;
  };
  const { redirect_uri } = client;
  let token = await post({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifierOf(code) });
  while (!isOver()) {
    token = await post({ grant_type: 'refresh_token', refresh_token: token });
    counts.refreshes += 1;
    await delay(20);
  }
}
