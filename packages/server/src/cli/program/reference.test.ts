import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandsPage, withCommandReference } from '../../../../../scripts/generate-docs.ts';

it('docs/commands.md is what `node scripts/generate-docs.ts` writes', () => {
  const page = readFileSync(commandsPage, 'utf8');
  expect(page).toBe(withCommandReference(page));
  expect(page).toContain('\n## holdfast backup\n');
});
