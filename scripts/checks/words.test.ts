/** Turns of phrase that plain English does without. CONTRIBUTING.md, "Style", says what to write instead. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const written = [
  '{packages/*/{src,bin},test,scripts,bench,torture,tooling}/**/*.{ts,tsx,mjs}',
  'packages/*/README.md',
  '{docs,.}/*.md',
  'docs/tutorials/*.md',
];

const avoided = [
  /\b(?:is|are) none of\b/,
  /\bwhen it is none\b/,
  /\bthat (?:is|are) none\b/,
  /\bthat there (?:is|are) not\b/,
  /\balso without\b/,
  /\bwhose it is\b/,
  /\banew\b/,
  /\bis no good\b/,
  /\bends by itself\b/,
  /\bof its own accord\b/,
  /\bno other than\b/,
  /\b[Cc]ame with migration\b/,
  /\b[Uu]p to release\b/,
];

it('code, comments and pages avoid awkward phrases', () => {
  const files = globSync(written, { cwd: root }).filter((file) => !file.endsWith('words.test.ts'));
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (avoided.some((turn) => turn.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
