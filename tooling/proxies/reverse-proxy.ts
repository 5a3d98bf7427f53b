/** The documented nginx and Caddy, on test ports, in front of services on loopback. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithThis } from '../child-processes.ts';
import { requireProgram } from '../programs.ts';
import { listens, until } from '../until.ts';

const deployFolder = join(import.meta.dirname, '../../deploy');
const startMillisecondsMax = 60_000;

export interface Ports {
  /** Ports of the nodes. */
  readonly services: readonly number[];
  readonly http: number;
  readonly https: number;
}

export interface ReverseProxy {
  readonly program: string;
  readonly debianPackage: string;
  /** Writes the configuration into `folder` and returns the command that serves with it, in the foreground. */
  prepare(folder: string, ports: Ports): { command: readonly string[]; env?: Readonly<Record<string, string>> };
}

/** The documented server block on other ports, within a host's settings that compress as much as possible. */
export function prepareNginx(folder: string, ports: Ports, alter = (text: string) => text): readonly string[] {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`);
  const block = readFileSync(join(deployFolder, 'nginx', 'holdfast.conf'), 'utf8')
    .replaceAll(/listen \[::\]:\d+[^;]*;\n/g, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replace(/ *server (127\.0\.0\.1):8787([^;]*;)\n/, (_, host, rest) =>
      ports.services.map((port) => `    server ${host}:${port}${rest}\n`).join(''),
    )
    .replaceAll(/ssl_certificate [^;]*;/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key [^;]*;/g, `ssl_certificate_key ${key};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const main = join(folder, 'nginx.conf');
  writeFileSync(
    main,
    `daemon off;\nuser root;\nworker_processes 2;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log warn;\n` +
      `events { worker_connections 512; }\nhttp {\n${temporary.join('\n')}\naccess_log off;\n` +
      `gzip on;\ngzip_types *;\ngzip_proxied any;\ngzip_min_length 1;\n${alter(block)}\n}\n`,
  );
  return ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', main];
}

export const nginx: ReverseProxy = {
  program: 'nginx',
  debianPackage: 'nginx-light',
  prepare: (folder, ports) => ({ command: prepareNginx(folder, ports) }),
};

/** `HOLDFAST_CADDY` names a Caddy to use instead of Debian's. */
const caddyProgram = process.env.HOLDFAST_CADDY ?? 'caddy';

export const caddy: ReverseProxy = {
  program: caddyProgram,
  debianPackage: 'caddy',
  prepare: (folder, { services, http, https }) => {
    const file = join(folder, 'Caddyfile');
    // Caddy creates the certificate of the test, and adds it to no other certificate store.
    const global = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n`;
    writeFileSync(file, global + readFileSync(join(deployFolder, 'caddy', 'Caddyfile'), 'utf8'));
    const env = {
      HOLDFAST_UPSTREAM: services.map((port) => `127.0.0.1:${port}`).join(' '),
      ...(services.length > 1 && { HOLDFAST_HEALTH: '/readyz' }),
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    };
    return { command: [caddyProgram, 'run', '--adapter', 'caddyfile', '--config', file], env };
  },
};

/** Starts a proxy, and resolves once it listens with a function that stops it. Rejects if it does not start or is not installed. */
export async function startProxy(proxy: ReverseProxy, folder: string, ports: Ports): Promise<() => Promise<void>> {
  requireProgram(proxy.program, proxy.debianPackage);
  const { command, env: further = {} } = proxy.prepare(folder, ports);
  const env = { ...process.env, ...further };
  const child = endWithThis(spawn(command[0] as string, command.slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] }));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const patience = { withinMilliseconds: startMillisecondsMax, everyMilliseconds: 50 };
  const otherwise = `no proxy listens on port ${ports.https}`;
  await until(() => listens(ports.https), { ...patience, otherwise }).catch(async (error: Error) => {
    await stop();
    throw error;
  });
  return stop;
}
