/** Tests the lint rule in `no-spread-of-literal.grit`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rule = 'scripts/checks/no-spread-of-literal.grit';

/** Returns the positions of the rule's findings, as `line:column`. */
function found(text: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [join(root, rule)] }));
  writeFileSync(join(folder, 'example.ts'), text);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint'], { cwd: folder, encoding: 'utf8' });
  return [...(stdout + stderr).matchAll(/example\.ts:(\d+:\d+) plugin/g)].map(([, place = '']) => place);
}

test('a spread of a literal is refused, even under an assertion, and no other spread is', () => {
  const text = `
    export const a = [...[1], ...([2] as const), ...(([3]) satisfies number[])];
    export const b = { ...{ a: 1 }, b: Math.max(...[1, 2]) };
    export const c = (d: number[]) => [...d, ...(d.length > 1 ? [1] : []), { ...(d[0] && { e: 1 }) }];`;
  expect(found(text)).toEqual(['2:23', '2:31', '2:50', '3:24', '3:49']);
});

test('the linter of the repository has the rule', () => {
  expect(JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')).plugins).toContain(`./${rule}`);
});
