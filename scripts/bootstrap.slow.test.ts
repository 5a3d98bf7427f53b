import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** A project with two packages that npm installs from files: `runs` is always required, `tests` for development only. */
let root = mkdtempSync(join(tmpdir(), 'holdfast-bootstrap-'));
const template = root;
const roots = [template];

beforeAll(() => {
  mkdirSync(join(root, 'scripts'));
  copyFileSync(join(import.meta.dirname, 'bootstrap.mjs'), join(root, 'scripts/bootstrap.mjs'));
  lock('1.0.0');
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-bootstrap-'));
  roots.push(root);
  cpSync(template, root, { recursive: true });
});
afterAll(() => {
  for (const folder of roots) rmSync(folder, { recursive: true });
});

const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value));
const npm = (...args: readonly string[]) => execFileSync('npm', [...args, '--offline'], { cwd: root, stdio: 'pipe' });

/** Writes package.json and its lockfile, with `runs` of this version. */
function lock(version: string): void {
  for (const [name, packed] of [
    ['runs', version],
    ['tests', '1.0.0'],
  ] as const) {
    if (existsSync(join(root, `${name}-${packed}.tgz`))) continue;
    mkdirSync(join(root, name), { recursive: true });
    writeJson(join(root, name, 'package.json'), { name, version: packed });
    npm('pack', `./${name}`);
  }
  writeJson(join(root, 'package.json'), {
    name: 'fixture',
    private: true,
    dependencies: { runs: `file:runs-${version}.tgz` },
    devDependencies: { tests: 'file:tests-1.0.0.tgz' },
  });
  npm('install', '--package-lock-only');
}

function bootstrap(wanted: string, node = process.execPath) {
  const env = { ...process.env, NODE_ENV: 'production', npm_config_cache: join(root, 'cache') };
  const { status, stdout, stderr } = spawnSync(node, ['scripts/bootstrap.mjs', wanted], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  return { status, output: stdout + stderr };
}

const installed = (name: string) => existsSync(join(root, 'node_modules', name, 'package.json'));
const silent = { status: 0, output: '' };
const wasInstalledAt = () => statSync(join(root, 'node_modules/.package-lock.json')).mtimeMs;

describe('bootstrap', () => {
  it('start installs the runtime dependencies, says so in one line, and does nothing the second time', () => {
    expect(bootstrap('start')).toEqual({ status: 0, output: 'Installing packages (first start only) …\n' });
    expect([installed('runs'), installed('tests')]).toEqual([true, false]);
    const before = wasInstalledAt();
    expect(bootstrap('start')).toEqual(silent);
    expect(wasInstalledAt()).toBe(before);
  });

  it('all adds the test dependencies, even with NODE_ENV=production, and satisfies start', () => {
    bootstrap('start');
    expect(bootstrap('all')).toEqual({ status: 0, output: 'Installing packages (node_modules/tests is missing) …\n' });
    expect([installed('runs'), installed('tests')]).toEqual([true, true]);
    expect([bootstrap('all'), bootstrap('start')]).toEqual([silent, silent]);
  });

  it('follows the content of the lockfile, not its time', () => {
    bootstrap('start');
    utimesSync(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));
    expect(bootstrap('start')).toEqual(silent);
    lock('1.1.0'); // npm records 1.1.0 as installed here, which is wrong.
    utimesSync(join(root, 'package-lock.json'), new Date(0), new Date(0));
    expect(bootstrap('start').output).toBe('Installing packages (node_modules/runs is 1.0.0, not 1.1.0) …\n');
    expect(readFileSync(join(root, 'node_modules/runs/package.json'), 'utf8')).toContain('1.1.0');
    expect(bootstrap('start')).toEqual(silent);
  });

  it('accepts an installation by npm, and repairs an incomplete one', () => {
    npm('ci');
    expect(bootstrap('all')).toEqual(silent);
    rmSync(join(root, 'node_modules/runs'), { recursive: true });
    expect(bootstrap('all').status).toBe(0);
    expect(installed('runs')).toBe(true);
  });

  it('leaves the lockfile unchanged', () => {
    const before = readFileSync(join(root, 'package-lock.json'), 'utf8');
    bootstrap('start');
    bootstrap('all');
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).toBe(before);
  });

  it('gives instructions if npm fails, and tries again the next time', () => {
    const archive = join(root, 'runs-1.0.0.tgz');
    copyFileSync(archive, `${archive}.kept`);
    rmSync(archive);
    const { status, output } = bootstrap('start');
    expect(status).toBe(1);
    expect(output).toMatch(/^npm error/m);
    expect(output).toMatch(/The packages could not be installed; the lines above say why\.\n.*`npm ci`/);
    copyFileSync(`${archive}.kept`, archive);
    expect(bootstrap('start').status).toBe(0);
  });

  it('accepts only start or all', () => {
    expect(bootstrap('everything')).toEqual({ status: 1, output: 'usage: node scripts/bootstrap.mjs start|all\n' });
  });
});
