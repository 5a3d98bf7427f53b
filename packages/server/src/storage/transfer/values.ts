/**
 * The allowed values of each field of a record, from any source: type, length and form. An import checks every value of a file before it
 * stores any.
 */
import { columnsIn } from '../sql/declaration.ts';
import { sharedTable, sharedTableNames } from '../sql/tables.ts';
import { togetherFault } from './combinations.ts';
import { documentBytesMax, forms, special } from './field-forms.ts';
import { type TransferKind, type TransferRecord, type TransferValue, transferKindNames, transferKinds } from './kinds.ts';
import { bytes, type Form, integer, text } from './value-forms.ts';

/** The nullable fields of kinds other than shared tables, whose declarations say this themselves. */
const nullable: Partial<Readonly<Record<TransferKind, readonly string[]>>> = {
  public_state_versions: ['author', 'comment'],
  // User states from before these columns have none until they are written again.
  user_states: ['author', 'comment', 'created_at', 'history_version'],
  user_state_versions: ['author', 'comment'],
  sign_ins: [
    'slug',
    'environment',
    'email',
    'name',
    'family_id',
    'created_at',
    'idle_expires_at',
    'absolute_expires_at',
    'secret_hash',
    'previous_secret_hash',
    'replaced_at',
    'exchange_marks',
    'amr',
    'place',
  ],
};

function nullableOf(kind: TransferKind): readonly string[] {
  const shared = sharedTableNames.find((name) => name === kind);
  if (shared === undefined) return nullable[kind] ?? [];
  return columnsIn(sharedTable(shared)).flatMap(({ name, isNullable }) => (isNullable ? [name] : []));
}

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
  const nullables = nullableOf(kind);
  return transferKinds[kind].fields.map((field) => {
    const form = special[kind]?.[field] ?? forms[field] ?? anyValue;
    return [field, form, nullables.includes(field)];
  });
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
  return togetherFault(kind, record);
}
