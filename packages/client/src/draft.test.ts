/** What a change makes of a draft is what is written, with and without a schema. */
import type { JsonObject } from '@holdfast/json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftOf } from './draft.ts';
import type { StandardSchema } from './schema.ts';

/** A schema that shows a copy, as libraries do. */
const copying: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: structuredClone(value) }) },
};

const document = fc.object({
  key: fc.constantFrom('a', 'b', 'c', '__proto__', 'length'),
  values: [fc.string(), fc.integer(), fc.constantFrom<unknown>(null, true, 0.5, 1e300)],
  maxDepth: 3,
}) as fc.Arbitrary<JsonObject>;

test.each([undefined, copying])('with the schema %#', async (schema) => {
  const property = fc.asyncProperty(document, document, async (stored, changed) => {
    const draft = await draftOf(stored, schema, false);
    expect(JSON.stringify(await draft.settle(draft.value))).toBe(JSON.stringify(stored));
    expect(await draft.settle(changed)).toEqual(changed);
    // Parts of the draft may be moved.
    const mixed = { one: draft.value, other: [draft.value, changed] };
    expect(await draft.settle(mixed)).toEqual({ one: stored, other: [stored, changed] });
  });
  await fc.assert(property, { numRuns: 300 });
});
