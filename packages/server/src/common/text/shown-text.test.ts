import { expect, it } from 'vitest';
import { withoutAddress } from './shown-text.ts';

it.each([
  ['ada@example.com', 'ada'],
  ['Bob @ Acme', 'Bob @ Acme'],
  ['Ada Lovelace', 'Ada Lovelace'],
  ['@ada', '@ada'],
  ['', ''],
])('%j is shown as %j', (name, shown) => {
  expect(withoutAddress(name)).toBe(shown);
});
