/** The texts of fields for days in German. */
import type { DayTexts } from './days-en.ts';

export const texts: DayTexts = {
  choose: 'Tag auswählen',
  previous: 'Voriger Monat',
  following: 'Nächster Monat',
};
