import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text ?? '');

it('CONTRIBUTING.md names verbs that npm has', () => {
  const verbs = quoted.flatMap((text) => /^npm (?:run )?([a-z]+)/.exec(text)?.[1] ?? []);
  expect(verbs.length).toBeGreaterThan(4);
  expect(verbs.filter((verb) => !(verb in scripts))).toEqual([]);
});

it('CONTRIBUTING.md names files that exist', () => {
  const folders = ['', 'packages/contract/src', 'packages/server/src'];
  const files = quoted.flatMap((text) => /(?:^|node )((?:[\w-]+\/)*[\w.-]+\.ts|\.ci\/run)$/.exec(text)?.[1] ?? []);
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !folders.some((folder) => existsSync(join(root, folder, file))))).toEqual([]);
});
