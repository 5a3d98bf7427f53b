/** Checks deployment files without the programs that read them; `scripts/deploy/check-deploy.ts` runs those. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, settings } from '../../packages/server/src/config/config.ts';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { startServerProcess, withDataDir } from '../../tooling/server-process.ts';
import { filesWithImage } from '../releases/verify.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = [
  'Dockerfile',
  'compose.yaml',
  'deploy/compose.postgres.yaml',
  ...globSync('deploy/{systemd,container,kubernetes}/*', { cwd: root }),
  'deploy/holdfast.env.example',
];

describe.each(files)('%s', (file) => {
  it('names existing settings', () => {
    const known: readonly string[] = Object.values(settings).map(({ env }) => env);
    const named = [...read(file).matchAll(/\bSVC_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names existing files of the repository', () => {
    const named = [
      ...read(file).matchAll(/(?:\/opt\/holdfast|(?<=- )\.)\/((?:packages|deploy|docs|scripts)\/[\w./-]*\w)/g),
    ];
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('trusted and executed parts', () => {
  it.each(files)('%s trusts no range of addresses', (file) => {
    const values = [...read(file).matchAll(/SVC_TRUST_PROXY[:=] *(.*)/g)].map(([, value = '']) => value);
    expect(values.filter((value) => value.includes('/'))).toEqual([]);
  });

  it.each([['compose.yaml'], ['deploy/compose.postgres.yaml']])('%s trusts the addresses it gives', (file) => {
    const given = [...read(file).matchAll(/^\s+(?:gateway|ipv4_address): (\S+)$/gm)].map(([, address]) => address);
    const [, trusted = ''] = /SVC_TRUST_PROXY: (\S+)/.exec(read(file)) ?? [];
    expect(trusted.split(',').sort()).toEqual(given.sort());
    expect(given).toHaveLength(2);
  });

  it.each(['holdfast.yaml', 'postgres.yaml'])('deploy/kubernetes/%s does not start until proxies are named', (file) => {
    const [, value] = /SVC_TRUST_PROXY: (.*)/.exec(read(`deploy/kubernetes/${file}`)) ?? [];
    expect(readConfig({ SVC_TRUST_PROXY: value })).toMatchObject({
      kind: 'faults',
      faults: [expect.stringContaining('SVC_TRUST_PROXY')],
    });
  });

  it.each([
    'compose.yaml',
    'deploy/compose.postgres.yaml',
    'deploy/kubernetes/holdfast.yaml',
    'deploy/kubernetes/postgres.yaml',
  ])('%s names the image that a release publishes', (file) => {
    expect(read(file)).toMatch(/^\s+image: ghcr\.io\/holdfast\/holdfast:\d+\.\d+\.\d+$/m);
    expect(filesWithImage).toContain(file);
  });

  it('deploy/kubernetes/postgres.yaml has metrics, a network policy and an ingress', () => {
    const text = read('deploy/kubernetes/postgres.yaml');
    expect(text).toMatch(/^ {2}SVC_METRICS_PORT: "9090"$/m);
    expect(text).toMatch(/^kind: NetworkPolicy$/m);
    expect(text).toMatch(/^kind: Ingress$/m);
  });
});

describe('the shutdown of the service', () => {
  const graceMilliseconds = Number(
    /shutdownGraceMilliseconds = ([\d_]+)/
      .exec(read('packages/server/src/http/connections/listener.ts'))?.[1]
      ?.replaceAll('_', ''),
  );

  it.each([
    ['deploy/systemd/holdfast.service', /^TimeoutStopSec=(\d+)$/m],
    ['compose.yaml', /^\s+stop_grace_period: (\d+)s$/m],
    ['deploy/compose.postgres.yaml', /^\s+stop_grace_period: (\d+)s$/m],
    ['deploy/kubernetes/holdfast.yaml', /^\s+terminationGracePeriodSeconds: (\d+)$/m],
    ['deploy/kubernetes/postgres.yaml', /^\s+terminationGracePeriodSeconds: (\d+)$/m],
  ])('has more time in %s than the drain and requests in flight may take', (file, pattern) => {
    expect(graceMilliseconds).toBeGreaterThan(0);
    const drainSeconds = Number(/^\s*SVC_DRAIN_SECONDS: "(\d+)"$/m.exec(read(file))?.[1] ?? 0);
    expect(Number(pattern.exec(read(file))?.[1])).toBeGreaterThan(drainSeconds + graceMilliseconds / 1000 + 2);
  });

  it.each(['deploy/compose.postgres.yaml', 'deploy/kubernetes/postgres.yaml'])('follows a drain in %s', (file) => {
    expect(read(file)).toMatch(/^\s+SVC_DRAIN_SECONDS: "(?:[5-9]|\d\d)"$/m);
  });

  it('is requested by SIGTERM to Node, not to npm or a shell', () => {
    expect(read('Dockerfile')).toMatch(/^ENTRYPOINT \["holdfast"\]\nCMD \["serve"\]$/m);
    expect(read('deploy/systemd/holdfast.service')).toMatch(
      /^ExecStart=\/bin\/sh -c 'exec \S+\/node-linux-\*\/bin\/node \S+\/holdfast\.mjs serve'$/m,
    );
  });
});

describe.skipIf(process.platform === 'win32')('the health check of the image', () => {
  const script = join(root, 'deploy/container/health.mjs');
  const check = (port: number) =>
    new Promise<{ status: number | null; said: string }>((resolve) => {
      const child = spawn(process.execPath, [script], { env: { ...process.env, SVC_PORT: String(port) } });
      let said = '';
      child.stderr.on('data', (piece) => {
        said += piece;
      });
      child.on('exit', (status) => resolve({ status, said }));
    });

  it('ends with 0 while the service answers, and with 1 and a reason once it is stopped', () =>
    withDataDir(async (dataDir) => {
      const port = await freePort();
      const server = await startServerProcess({ dataDir, port });
      expect(await check(port)).toEqual({ status: 0, said: '' });
      await server.stop();
      const { status, said } = await check(port);
      expect(status).toBe(1);
      expect(said).toContain(`port ${port}: connect ECONNREFUSED`);
    }));

  it('ends with 1 after any other answer', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await check(port)).toEqual({ status: 1, said: `the service does not answer on port ${port}: status 503\n` });
    server.close();
  });
});
