/** A value of a document in a line: yes or no, a number digit for digit, a text, or how much an object or a list contains. */
import { isContainer, printJson } from '@holdfast/json';
import type { ReactNode } from 'react';
import type { Value } from '../json-text/changes.ts';
import type { ChangeTexts } from '../texts/changes-en.ts';
import { plain } from '../ui/plain-text.ts';

/** Returns a value in a line; nothing for a missing one. Of a text, `↵` stands for the end of a line. */
export function valueInLine(c: ChangeTexts, value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return plain(value.replace(/\s*\n\s*/g, ' ↵ '));
  if (typeof value === 'boolean') return value ? c.yes : c.no;
  if (!isContainer(value)) return printJson(value);
  const count = Object.keys(value).length;
  return count === 0 ? c.nothing : Array.isArray(value) ? c.entries(count) : c.fields(count);
}

/** What is shown of a value; of a text, in the quotation marks of the reader's language. */
export const Quoted = ({ value, children }: { value: Value; children: ReactNode }) =>
  typeof value === 'string' ? <q>{children}</q> : children;
