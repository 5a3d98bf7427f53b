/** The tables that `docs/scaling.md` names for Citus are those that the declarations place on the workers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placements } from '../../packages/server/src/storage/postgres/schema/placements.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8');
const part = page.slice(page.indexOf('## Citus'), page.indexOf('## CockroachDB'));

/** The names in a row of the table of places. */
const namedIn = (place: string): string[] => {
  const [, cell = ''] = new RegExp(`^\\| ${place} \\|([^|]*)\\|`, 'm').exec(part) ?? [];
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
};

const placedAs = (isMeant: (placement: unknown) => boolean): string[] =>
  Object.entries(placements)
    .flatMap(([name, placement]) => (isMeant(placement) ? [name] : []))
    .sort();

test('the page names the tables of the workers', () => {
  expect(namedIn("The account's worker")).toEqual(placedAs((placement) => typeof placement === 'object'));
  expect(namedIn('Every machine, a copy')).toEqual(placedAs((placement) => placement === 'reference'));
});
