import { expect, it } from 'vitest';
import { shortened, shortenedPair } from './short-value.ts';

const storms = 'Storms at sea this weekend: double pearls for every crew. Stay close to the harbour';

it('a pair of long texts shows what differs, from the start of a word', () => {
  const [from, to] = shortenedPair(`${storms} on Friday.`, `${storms} on Saturday.`);
  expect(from).toBe('…for every crew. Stay close to the harbour on Friday.');
  expect(to).toBe('…for every crew. Stay close to the harbour on Saturday.');
});

it('a difference near the start, and short texts, are shown from the start', () => {
  expect(shortenedPair('calm', 'storm')).toEqual(['calm', 'storm']);
  const [from, to] = shortenedPair(`Calm. ${storms}`, `Rain. ${storms}`);
  expect(from).toBe('Calm. Storms at sea this weekend: double pearls for every…');
  expect(to.startsWith('Rain. Storms')).toBe(true);
});

it('a text that the other one starts with shows its end', () => {
  const [from, to] = shortenedPair(storms, `${storms}, and drink rum.`);
  expect([from, to]).toEqual([
    '…for every crew. Stay close to the harbour',
    '…for every crew. Stay close to the harbour, and drink rum.',
  ]);
});

it('no character is cut in two', () => {
  const waves = '🌊'.repeat(80);
  for (const text of [...shortenedPair(`${waves}a`, `${waves}b`), shortened(waves), shortened(`a${waves}`)]) {
    expect(text.isWellFormed()).toBe(true);
  }
});
