import { expect, test } from 'vitest';
import { changedChecksum, checksumOf } from './checksums.ts';
import { encodeVersion, KeptVersion } from './versions.ts';

const alphabets = {
  ASCII: 'ab{}"1',
  'two bytes': 'é\u00df',
  'three bytes': '€漢',
  'surrogate pairs': '😀𝒳',
  mixed: 'a€😀é',
};

test.each(Object.entries(alphabets))(
  'the checksum after a change of equal length is that of the text: %s',
  (_, alphabet) => {
    const letters = [...alphabet];
    let seed = 7;
    const letter = (): string => {
      seed = (seed * 48_271) % 2_147_483_647;
      return letters[seed % letters.length] as string;
    };
    const text = (length: number) => Array.from({ length }, letter).join('');
    let changed = 0;
    for (let round = 0; round < 300; round++) {
      const [beginning, removed, added, ending] = [text(round % 7), text(round % 5), text(round % 5), text(round * 11)];
      const before = beginning + removed + ending;
      const edit = { start: beginning.length, end: beginning.length + removed.length, replacement: added };
      const checksum = changedChecksum(checksumOf(before), before, edit);
      if (checksum === undefined) {
        expect(Buffer.byteLength(added)).not.toBe(Buffer.byteLength(removed));
        continue;
      }
      changed++;
      expect(checksum).toBe(checksumOf(beginning + added + ending));
    }
    expect(changed).toBeGreaterThan(100);
  },
);

test('the checksum after a change of another length must be computed from the text', () => {
  expect(changedChecksum(checksumOf('{"a":9}'), '{"a":9}', { start: 5, end: 6, replacement: '10' })).toBeUndefined();
});

test('each version of a long document has the checksum of its text, whatever was changed', () => {
  const textOf = (value: unknown) => JSON.stringify({ value, filling: 'é'.repeat(5_000) });
  const stateOf = (stateText: string) => ({ stateText, stateBytes: Buffer.byteLength(stateText), comment: null });
  const values = [1, 1, 2, 3, 12, 'é', 'ab', '€', 'abc', null];
  const first = textOf(values[0]);
  let before = new KeptVersion(
    1,
    stateOf(first),
    encodeVersion({ ...stateOf(first), author: null, writtenAt: 0 } as never, undefined, 0),
  );
  for (const value of values.slice(1)) {
    const text = textOf(value);
    const encoded = encodeVersion({ ...stateOf(text), author: null, writtenAt: 0 } as never, before, 0);
    expect(encoded.depth).toBeGreaterThan(0);
    expect(encoded.checksum).toBe(checksumOf(text));
    before = new KeptVersion(before.version + 1, stateOf(text), encoded);
  }
});
