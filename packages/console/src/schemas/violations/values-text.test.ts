import { expect, it } from 'vitest';
import type { Value } from '../../json-text/changes.ts';
import { texts as changes } from '../../texts/changes-en.ts';
import { texts as schemas } from '../../texts/schemas-en.ts';
import { valuesText } from './values-text.tsx';

it.each<[readonly Value[], string | null]>([
  [[900, 850, 1200], '850 to 1200'],
  [[-1, 'x'], null],
  [[1, undefined], null],
  [[{ gold: 1 }], null],
])('%j is %s', (values, text) => {
  expect(valuesText(changes, schemas, values)).toBe(text);
});

it('shows a single value, a text in quotation marks even if it is empty', () => {
  const childOf = (values: readonly Value[]) => valuesText(changes, schemas, values);
  expect(childOf([900, 900])).toMatchObject({ props: { value: 900, children: '900' } });
  expect(childOf([''])).toMatchObject({ props: { value: '', children: '' } });
  expect(childOf([null])).toMatchObject({ props: { value: null } });
});
