/** The figures in docs/client-comparison.md match its programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('docs/client-comparison.md counts the lines of its programs', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/client-comparison.md'), 'utf8');
  const programs = [...text.matchAll(/^## (\w+)\n\n```\w+\n(.*?)^```/gms)].map(
    ([, name, program = '']) => [name, program.split('\n').filter((line) => line.trim() !== '').length] as const,
  );
  expect(programs.map(([name]) => name)).toEqual(['Holdfast', 'Supabase', 'Firebase', 'Nakama', 'PocketBase']);
  for (const [name, lines] of programs) expect(text).toContain(`| [${name}](#${name?.toLowerCase()}) | ${lines} |`);
});
