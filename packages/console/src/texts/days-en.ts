/** The texts of fields for days in English. */
import type { Widened } from './widened.ts';

export const texts = {
  choose: 'Choose a day',
  previous: 'Previous month',
  following: 'Next month',
};

export type DayTexts = Widened<typeof texts>;
