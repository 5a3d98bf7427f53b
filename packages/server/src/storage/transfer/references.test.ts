import { expect, test } from 'vitest';
import { transferKinds } from './kinds.ts';
import { kindReferences } from './references.ts';

const kinds = Object.entries(transferKinds);

test('every kind says how its records are connected, and nothing else does', () => {
  expect(Object.keys(kindReferences).toSorted()).toEqual(Object.keys(transferKinds).toSorted());
});

test.each(kinds)(
  '%s refers by fields that it has, to what another kind is known as',
  (_, { fields, knownAs, refersTo }) => {
    expect(fields).toEqual(expect.arrayContaining([knownAs, refersTo].flatMap((reference) => reference?.slice(1) ?? [])));
    if (refersTo !== null) expect(kinds.map(([, kind]) => kind.knownAs)).toContainEqual(refersTo);
  },
);
