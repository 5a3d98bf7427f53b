/** Installs and runs programs, from Debian and other registries. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';

type Variables = Readonly<Record<string, string>>;

/** Makes sure that a program is installed: as root on Debian, installs its package; otherwise throws an `Error` with instructions. */
export function requireProgram(program: string, debianPackage: string): void {
  if (isInstalled(program)) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !isInstalled('apt-get')) {
    throw new Error(`the program ${program} is missing; on Debian, \`sudo apt-get install ${debianPackage}\` brings it`);
  }
  console.error(`Installing ${debianPackage} …`);
  installPackages(debianPackage);
  if (!isInstalled(program))
    throw new Error(`apt-get could not install ${debianPackage}, which has the program ${program}`);
}

/** Installs Debian packages, as root. Returns whether that succeeded. */
export function installPackages(...packages: readonly string[]): boolean {
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...packages);
  if (install()) return true;
  // The package lists may be missing or old; only then are they fetched.
  aptGet('update');
  return install();
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 'ignore', 'ignore'], env }).status === 0;
}

/** Whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}

/** Runs a program in a folder and returns its output. Throws with the output if it fails or takes three minutes. */
export function run(
  program: string,
  args: readonly string[],
  folder?: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    timeout: 180_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `${program} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}

/** Runs a command; returns its output if it failed, otherwise undefined. */
export function fault(command: string, args: readonly string[], env: Variables = {}): string | undefined {
  const { status, text } = finished(command, args, env);
  if (status === 0) return undefined;
  return text.trim() || `${command} ended with status ${status}`;
}

/** Runs a command and returns its output, whether it failed or not. */
export function output(command: string, args: readonly string[]): string {
  return finished(command, args, {}).text;
}

function finished(command: string, args: readonly string[], env: Variables) {
  const result = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  const { status, stdout, stderr, error } = result;
  return { status, text: [error ? `${error.message}\n` : '', stdout, stderr].join('') };
}
