/**
 * The allowed values of each field of a record, from any source: type, length and form. An import checks every value of a file before it
 * stores any.
 */

import { documentBytesMax, forms, special } from './field-forms.ts';
import { type TransferKind, type TransferRecord, type TransferValue, transferKindNames, transferKinds } from './kinds.ts';
import { combinationFault } from './record-rules.ts';
import { bytes, type Form, integer, text } from './value-forms.ts';

/** For an unlisted field, which a test finds. */
const anyValue: Form = (value) =>
  typeof value === 'number'
    ? integer(Number.MIN_SAFE_INTEGER)(value)
    : typeof value === 'string'
      ? text(documentBytesMax)(value)
      : bytes(0, documentBytesMax)(value);

/** The fields of all kinds whose form is not listed here. */
export const unlistedFields = (): string[] =>
  transferKindNames.flatMap((kind) =>
    transferKinds[kind].fields
      .filter((field) => special[kind]?.[field] === undefined && forms[field] === undefined)
      .map((field) => `${kind}.${field}`),
  );

/** The form of each field of a kind. */
function formsOf(kind: TransferKind): readonly (readonly [string, Form, boolean])[] {
  const { fields, nullable } = transferKinds[kind];
  return fields.map((field) => [field, special[kind]?.[field] ?? forms[field] ?? anyValue, nullable.has(field)]);
}

const formsByKind = new Map(transferKindNames.map((kind) => [kind, formsOf(kind)]));

/** Returns what is wrong with the values of a record; undefined if they are valid. The result names fields, never values. */
export function valueFault(kind: TransferKind, record: TransferRecord): string | undefined {
  for (const [field, form, isNullable] of formsByKind.get(kind) ?? []) {
    const value = record[field] as TransferValue;
    if (value === null && isNullable) continue;
    const fault = value === null ? 'is null' : form(value);
    if (fault !== undefined) return `"${field}" ${fault}`;
  }
  return combinationFault(kind, record);
}
