import { expect, it } from 'vitest';
import { type Piece, wordChanges } from './word-changes.ts';

/** Changes in brackets. */
const shown = (pieces: readonly Piece[]) => pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
const compared = (from: string, to: string) => wordChanges(from, to)?.map(shown);

const storms = 'Storms at sea this weekend: double pearls for every crew. Stay close to the harbour';

it('shows the changed words with three words around them', () => {
  expect(compared(storms, storms.replace('double', 'triple'))).toEqual([
    '…sea this weekend: [double] pearls for every…',
    '…sea this weekend: [triple] pearls for every…',
  ]);
  expect(compared(storms, `${storms} and rum`)).toEqual(['…to the harbour', '…to the harbour[ and rum]']);
});

it('shows several changes apart from each other', () => {
  expect(compared(storms, storms.replace('Storms', 'Calm').replace('harbour', 'coast'))).toEqual([
    '[Storms] at sea this…close to the [harbour]',
    '[Calm] at sea this…close to the [coast]',
  ]);
});

it('shows a change of spaces alone', () => {
  expect(compared(storms, storms.replace('sea this', 'sea  this'))).toEqual([
    'Storms at sea[ ]this weekend: double…',
    'Storms at sea[  ]this weekend: double…',
  ]);
});

it('shows the beginning of texts that have nothing in common, and no words that are too long', () => {
  const [old, next] = compared('old '.repeat(500), 'new '.repeat(500)) ?? [];
  expect(old?.startsWith('[old old')).toBe(true);
  expect(old?.endsWith('…')).toBe(true);
  expect(old?.length).toBeLessThan(230);
  expect(next?.startsWith('[new')).toBe(true);
  expect(wordChanges('a'.repeat(61), 'b')).toBeUndefined();
});
