import { describe, test } from 'vitest';
import { compareNumbers, compareRefusals, compareValues } from './text.fixture.ts';

describe('parseJson and a simple parser agree', () => {
  test('on every value, for texts with adversarial numbers, names, escapes and white space', () => compareValues(10_000));

  test('on every number, whatever its literal', () => compareNumbers(20_000));

  test('on refusals: the text is refused exactly if the runtime refuses it', () => compareRefusals(10_000));
});
