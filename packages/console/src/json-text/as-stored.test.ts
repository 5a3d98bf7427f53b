import { expect, it } from 'vitest';
import { asStored } from './as-stored.ts';

const text = 'Storms at sea this weekend. '.repeat(20);
const base = { version: 1, state: { a: 1, b: { c: text } }, comment: null, sizeBytes: 600 };

it('new members stand at the end of their object, except in a first version', () => {
  const next = { z: 0, a: 2, b: { y: 0, c: text } };
  expect(JSON.stringify(asStored(base, next))).toBe(`{"a":2,"b":{"c":"${text}","y":0},"z":0}`);
  expect(JSON.stringify(asStored(null, next))).toBe(JSON.stringify(next));
});
