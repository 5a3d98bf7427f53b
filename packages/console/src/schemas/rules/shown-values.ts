/** Some values of a field, as examples beside its name. */
import { cut, plain } from '../../ui/plain-text.ts';
import type { KnownField } from './fields.ts';
import { choiceText } from './rule-form.ts';

const shownMax = 5;
const charactersMax = 24;

/** Returns a text such as `120, 340, 80`; empty if none is known. */
export function shownValues({ values }: KnownField): string {
  const shown = values.slice(0, shownMax).map((one) => cut(plain(choiceText(one)), charactersMax));
  return `${shown.join(', ')}${values.length > shownMax ? ' …' : ''}`;
}
