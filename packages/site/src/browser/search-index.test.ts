/** Words that people type lead to the guide that they need. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexOf, placesFor } from './search-index.ts';

const index = indexOf(JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/search.json'), 'utf8')));

test.each([
  ['schedule', 'proposals#schedule-a-change'],
  ['scheduling', 'proposals#schedule-a-change'],
  ['schedule a change', 'proposals#schedule-a-change'],
  ['webhook localhost', 'webhooks#try-it-in-the-demo'],
  ['webhooks', 'webhooks#'],
  ['rules', 'schemas#'],
  ['install client', 'client#install'],
])('%s leads to %s', (words, place) => {
  const [first] = placesFor(index, words);
  expect(`${first?.slug}#${first?.anchor}`).toBe(place);
});
