import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('packages/server/src/**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts', '**/*.fixture.ts', '**/test-processes/**', '**/program-files*.ts'],
});

/** A built program has its files elsewhere, so code that reads or starts them by path must use common/program/program-files.ts. */
it('files of the program are reached through common/program/program-files.ts only', () => {
  const others = sources.flatMap((path) => {
    const uses = readFileSync(join(root, path), 'utf8').match(/^.*import\.meta.*$/gm) ?? [];
    return uses
      .filter((line) => !/\b(?:(?:read|start)Program\w+|readClone)\(new URL\(.+, import\.meta\.url\)/.test(line))
      .map((line) => `${path}: ${line.trim()}`);
  });
  expect(sources.length).toBeGreaterThan(200);
  expect(others).toEqual([]);
});
