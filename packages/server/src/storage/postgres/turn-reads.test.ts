import { expect, test } from 'vitest';
import { createTurnReads } from './turn-reads.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Reads that are answered by hand, with the names that were read. */
function setUp() {
  const read: string[] = [];
  const answers: ((found: string) => void)[] = [];
  const readInTurn = createTurnReads((name: string, key: { id: number }) => {
    read.push(`${name} ${key.id}`);
    return new Promise<string>((resolve) => answers.push(resolve));
  });
  return { read, answers, readInTurn };
}

test('reads of one turn and one name are one look, which is sent when the turn is over', async () => {
  const { read, answers, readInTurn } = setUp();
  const first = readInTurn('a', { id: 1 });
  await Promise.resolve(); // other callbacks of the same turn
  const second = readInTurn('a', { id: 2 });
  const other = readInTurn('b', { id: 3 });
  expect(read).toEqual([]);
  await nextTurn();
  expect(read).toEqual(['a 1', 'b 3']);
  answers.forEach((answer, i) => answer(`found ${i}`));
  expect(await Promise.all([first, second, other])).toEqual(['found 0', 'found 0', 'found 1']);
});

test('a read that comes while an earlier one is under way is a look of its own', async () => {
  const { read, answers, readInTurn } = setUp();
  const first = readInTurn('a', { id: 1 });
  await nextTurn();
  const late = readInTurn('a', { id: 2 });
  await nextTurn();
  expect(read).toEqual(['a 1', 'a 2']);
  answers[1]?.('new');
  answers[0]?.('old');
  expect([await first, await late]).toEqual(['old', 'new']);
});

test('a look that fails fails all who share it, and none after them', async () => {
  let isDown = true;
  const readInTurn = createTurnReads(async (name: string, _key: null) => {
    if (isDown) throw new Error('down');
    return name;
  });
  const outcomes = await Promise.allSettled([readInTurn('a', null), readInTurn('a', null)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await readInTurn('a', null)).toBe('a');
});
