import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const passing = "import { it } from 'vitest';\nit('passes', () => {});\n";
const failing = "import { it } from 'vitest';\nit('fails', () => { throw new Error('no'); });\n";
const unloadable = "import './nowhere.ts';\n";

/** Runs .ci/run in a small project with these tests and this check, and returns its status and last line. */
function run(tests: Readonly<Record<string, string>>, check = 'true') {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-ci-'));
  cpSync(join(repository, '.ci'), join(root, '.ci'), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'test'));
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(root, 'test', `${name}.test.ts`), text);
  const manifest = { type: 'module', private: true, scripts: { test: 'vitest run', check, bench: 'node bench/main.ts' } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  const { status, stdout } = spawnSync(join(root, '.ci/run'), { cwd: tmpdir(), encoding: 'utf8' });
  rmSync(root, { recursive: true });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
}

describe.skipIf(process.platform === 'win32')('.ci/run', () => {
  it('ends with the counts and status 0 when all is well', () => {
    expect(run({ a: passing, b: passing })).toEqual({ status: 0, last: 'tests: 2 passed, 0 failed' });
  });

  it('counts a failed test, and a file that could not be loaded', () => {
    expect(run({ a: passing, b: failing, c: unloadable })).toEqual({ status: 1, last: 'tests: 1 passed, 2 failed' });
  });

  it('fails when the check does', () => {
    expect(run({ a: passing }, 'false')).toEqual({ status: 1, last: 'tests: 1 passed, 0 failed' });
  });

  it('fails when there is no test at all', () => {
    expect(run({})).toMatchObject({ status: 1 });
  });
});
