import { expect, it } from 'vitest';
import { uncommented } from './comments.ts';

const file = 'packages/server/src/http/replies/reply.ts';

it('an exported function has a comment', () => {
  expect(uncommented(file, '/** Returns one. */\nexport function one(): number {\n  return 1;\n}\n')).toEqual([]);
  expect(uncommented(file, '// one\nexport function one(): number {\n  return 1;\n}\n')).toEqual([
    `${file}: one is exported and has no comment`,
  ]);
  expect(uncommented(file, '/** Two. */\nconst two = 2;\nexport async function one() {}\n')).toHaveLength(1);
});

it('overloads share one comment, and unexported functions need none', () => {
  const overloads =
    '/** Adds. */\nexport function add(a: string): string;\nexport function add(a: unknown) {\n  return a;\n}\n';
  expect(uncommented(file, overloads)).toEqual([]);
  expect(uncommented(file, 'function one() {}\n')).toEqual([]);
});

it('tests and the console are exempt', () => {
  for (const path of ['packages/server/src/a.fixture.ts', 'packages/console/src/pages/team.tsx']) {
    expect(uncommented(path, 'export function one() {}\n')).toEqual([]);
  }
});
