import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const passing = "import { it } from 'vitest';\nit('passes', () => {});\n";
const failing = "import { it } from 'vitest';\nit('fails', () => { throw new Error('no'); });\n";
const unloadable = "import './nowhere.ts';\n";
const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

/** Divides a small project like vitest.config.ts divides this one. */
const divided = `export default ({ mode }) => ({ test: mode === 'rest'
  ? { include: ['test/*.slow.test.ts'], passWithNoTests: true }
  : { exclude: ['test/*.slow.test.ts', 'node_modules'] } });`;

/** Runs .ci/run in a small project with these tests and this check, and returns its status, its last line and its last 40 lines. */
function run(tests: Readonly<Record<string, string>>, check = 'true') {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-ci-'));
  cpSync(join(repository, '.ci'), join(root, '.ci'), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'test'));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(root, 'test', `${name}.test.ts`), text);
  writeFileSync(join(root, 'vitest.config.js'), divided);
  const ownScripts = { test: scripts.test, 'test:rest': scripts['test:rest'], check, bench: 'node bench/main.ts' };
  const manifest = { type: 'module', private: true, scripts: ownScripts };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  const { status, stdout } = spawnSync(join(root, '.ci/run'), { cwd: tmpdir(), encoding: 'utf8' });
  rmSync(root, { recursive: true });
  const lines = stdout.trimEnd().split('\n');
  return { status, last: lines.at(-1), end: lines.slice(-40).join('\n') };
}

describe.skipIf(process.platform === 'win32')('.ci/run', () => {
  it('ends with the counts and status 0 if all is well', () => {
    expect(run({ a: passing, b: passing })).toMatchObject({ status: 0, last: 'tests: 2 passed, 0 failed' });
  });

  it('counts a failed test and a file that could not be loaded, and names both at the end', () => {
    const { status, last, end } = run({ a: passing, b: failing, c: unloadable });
    expect({ status, last }).toEqual({ status: 1, last: 'tests: 1 passed, 2 failed' });
    expect(end).toMatch(/== failed: npm test.*test\/b\.test\.ts.*Error: no.*test\/c\.test\.ts .*nowhere/s);
  });

  it('runs the slow tests too, counts both runs, and names the failures of either', () => {
    const { status, last, end } = run({ a: passing, b: failing, 'c.slow': passing, 'd.slow': failing });
    expect({ status, last }).toEqual({ status: 1, last: 'tests: 2 passed, 2 failed' });
    expect(end).toMatch(
      /== failed: npm test.*== failed: npm run test:rest.*test\/b\.test\.ts.*test\/d\.slow\.test\.ts.*Error: no/s,
    );
  });

  it('fails if the check fails', () => {
    expect(run({ a: passing }, 'false')).toMatchObject({ status: 1, last: 'tests: 1 passed, 0 failed' });
  });

  it('fails without any test', () => {
    expect(run({})).toMatchObject({ status: 1 });
  });
});
