/**
 * Runs the documented nginx and Caddy in front of a real service, and compares what comes through with what the service
 * sends.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { readCredentials } from '../../torture/credentials.ts';
import { startServerProcess, withDataDir } from '../../torture/server-process.ts';
import { requireProgram } from './programs.ts';
import { type Behind, cases, http1Cases, keepsToTls, redirected, unavailable } from './proxy-cases.ts';
import { type Ask, askOverHttp1, askOverHttp2 } from './proxy-client.ts';

const deployFolder = join(import.meta.dirname, '..', '..', 'deploy');

export interface Ports {
  readonly service: number;
  readonly http: number;
  readonly https: number;
}

interface Proxy {
  readonly program: string;
  readonly debianPackage: string;
  /** Writes the configuration into `folder` and returns the command that serves with it, in the foreground. */
  prepare(folder: string, ports: Ports): { command: readonly string[]; env?: Readonly<Record<string, string>> };
}

/** The documented server block on other ports, among settings of a host that compresses whatever it can. */
export function prepareNginx(folder: string, ports: Ports, alter = (text: string) => text): readonly string[] {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
  ]);
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  const block = readFileSync(join(deployFolder, 'nginx', 'holdfast.conf'), 'utf8')
    .replaceAll(/listen \[::\]:\d+[^;]*;\n/g, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${ports.service}`)
    .replaceAll(/ssl_certificate [^;]*;/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key [^;]*;/g, `ssl_certificate_key ${key};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = join(folder, 'nginx.conf');
  writeFileSync(
    main,
    `daemon off;\nuser root;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log warn;\n` +
      `events { worker_connections 512; }\nhttp {\n${temporary.join('\n')}\naccess_log off;\n` +
      `gzip on;\ngzip_types *;\ngzip_proxied any;\ngzip_min_length 1;\n${alter(block)}\n}\n`,
  );
  return ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', main];
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: 'nginx',
    debianPackage: 'nginx-light',
    prepare: (folder, ports) => ({ command: prepareNginx(folder, ports) }),
  },
  'nginx that compresses (must fail)': {
    program: 'nginx',
    debianPackage: 'nginx-light',
    prepare: (folder, ports) => ({
      command: prepareNginx(folder, ports, (text) => text.replace('gzip off;', '')),
    }),
  },
  caddy: {
    program: 'caddy',
    debianPackage: 'caddy',
    prepare: (folder, { service, http, https }) => {
      const file = join(folder, 'Caddyfile');
      // Caddy makes the certificate of the test, and adds it to no other store of certificates.
      const global = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n`;
      writeFileSync(file, global + readFileSync(join(deployFolder, 'caddy', 'Caddyfile'), 'utf8'));
      const env = { HOLDFAST_UPSTREAM: `127.0.0.1:${service}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return { command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', file], env };
    },
  },
};

export interface Verdict {
  readonly proxy: string;
  readonly passed: number;
  readonly faults: readonly string[];
}

/** Runs every case through every proxy. A proxy that is named as one that must fail is sound when it does. */
export async function proxyVerdicts(): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [name, proxy] of Object.entries(proxies)) {
    requireProgram(proxy.program, proxy.debianPackage);
    const verdict = await withDataDir((folder) => runProxy(name, proxy, folder));
    if (!name.includes('must fail')) verdicts.push(verdict);
    else {
      const isSound = verdict.faults.some((fault) => fault.includes('ETag is W/'));
      const faults = isSound ? [] : ['compression did not weaken an entity tag, so these cases would not notice it'];
      verdicts.push({ proxy: name, passed: isSound ? 1 : 0, faults });
    }
  }
  return verdicts;
}

const addressLimit = 40;

async function runProxy(name: string, proxy: Proxy, folder: string): Promise<Verdict> {
  const ports: Ports = { service: await freePort(), http: await freePort(), https: await freePort() };
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const env = {
    SVC_TRUST_PROXY: '127.0.0.1',
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: String(addressLimit),
    SVC_BODY_TIMEOUT_SECONDS: '3',
  };
  const server = await startServerProcess({ dataDir, port: ports.service, env });
  const { command, env: further = {} } = proxy.prepare(folder, ports);
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...process.env, ...further },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await listening(ports.https);
    const credentials = await readCredentials(dataDir, server.baseUrl);
    const behind = { direct: askDirectly(ports.service), credentials, port: ports.https, addressLimit };
    const [ask1, ask2] = [askOverHttp1(ports.https), askOverHttp2(ports.https)];
    await writeManyVersions({ ...behind, ask: behind.direct });
    const results = [
      ...(await runCases('HTTP/1.1', cases, { ...behind, ask: ask1 })),
      ...(await runCases('HTTP/2', cases, { ...behind, ask: ask2 })),
      ...(await runCases('HTTP/1.1', http1Cases, { ...behind, ask: ask1 })),
    ];
    results.push(['plain HTTP leads to TLS', await redirected(askDirectly(ports.http))]);
    // Caddy serves `localhost` here, where other programs have no TLS: it says so for other hosts only.
    const isHostPublic = proxy.program === 'nginx';
    if (isHostPublic) results.push(['browsers keep to TLS', await keepsToTls(ask1)]);
    await server.stop();
    results.push(['the service is gone: 503 in the form of the API', await unavailable(ask1)]);
    if (isHostPublic) results.push(['browsers keep to TLS, the service gone', await keepsToTls(ask1)]);
    const faults = results.flatMap(([what, fault]) => (fault === undefined ? [] : [`${name}: ${what}: ${fault}`]));
    return { proxy: name, passed: results.length - faults.length, faults };
  } finally {
    child.kill('SIGTERM');
    await exited;
    if (server.isRunning()) await server.kill();
  }
}

type Result = readonly [what: string, fault: string | undefined];

async function runCases(over: string, all: typeof cases, behind: Behind): Promise<Result[]> {
  const results: Result[] = [];
  for (const [what, run] of Object.entries(all)) {
    const fault = await run(behind).catch((error: Error) => `failed: ${error.message}`);
    results.push([`${what} (${over})`, fault]);
  }
  return results;
}

/** Writes 20 versions of 250 kB, so that a list of versions is too large for any buffer on its way. */
async function writeManyVersions({ ask, credentials: { accountId, slug, apiKey } }: Behind): Promise<void> {
  for (let version = 1; version <= 20; version++) {
    const answer = await ask({
      method: 'PUT',
      path: `/v1/${accountId}/projects/${slug}/public-state/development`,
      headers: { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json', 'If-Match': `"${version}"` },
      body: JSON.stringify({ state: { version, filler: 'x'.repeat(250_000) } }),
    });
    if (answer.status !== 200) throw new Error(`version ${version + 1} was not written: ${answer.text}`);
  }
}

const askDirectly =
  (port: number): Ask =>
  ({ method = 'GET', path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const received = response.headers as Record<string, string | undefined>;
          resolve({ status: response.statusCode ?? 0, headers: received, text: Buffer.concat(pieces).toString('utf8') });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (Date.now() > deadline) throw new Error(`no proxy listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
