/** The detail of an audit record: the fields that differ, never a secret or a document, and always bounded. */

import type { AuditField, AuditValue } from '@holdfast/contract';
import { shortened } from '@holdfast/json';
import type { AuditChange, AuditDetail } from '../../contract/audit.ts';

/** Longer texts and lists are cut. */
const textCharactersMax = 200;
const listItemsMax = 20;
/** A detail with longer JSON contains only its field names. A summary of all actions is shorter. */
const detailCharactersMax = 8_000;

/** Accepts fields of the audit trail with values of their kinds only. */
type Audited<Fields> = { readonly [Name in keyof Fields]: Name extends AuditField ? AuditValue<Name> : never };
type Values = Readonly<Record<string, unknown>>;

/** Returns the detail of a creation. */
export const created = <Fields extends Audited<Fields>>(fields: Fields): AuditDetail => mapFields(fields, (to) => ({ to }));

/** Returns the detail of a deletion. */
export const removed = <Fields extends Audited<Fields>>(fields: Fields): AuditDetail =>
  mapFields(fields, (from) => ({ from }));

/** Returns the fields of `after` that differ from `before`. */
export const differing = <Fields extends Audited<Fields>>(before: Values, after: Fields): AuditDetail =>
  changes(before, { ...after });

function changes(before: Values, after: Values): Readonly<Record<string, AuditChange>> {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    changed.map((name) => [
      name,
      { ...(before[name] !== undefined && { from: before[name] }), ...(after[name] !== undefined && { to: after[name] }) },
    ]),
  );
}

/** Returns the JSON text of a detail, shortened if necessary. */
export function detailText(detail: AuditDetail): string {
  const text = JSON.stringify(detail, (name, value: unknown) => (name === '' ? value : cut(value)));
  return text.length <= detailCharactersMax ? text : JSON.stringify(mapFields(detail, () => ({})));
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, textCharactersMax);
  if (Array.isArray(value) && value.length > listItemsMax) {
    return [...value.slice(0, listItemsMax), `and ${value.length - listItemsMax} more`];
  }
  return value;
}

const mapFields = <Result>(fields: object, make: (value: unknown) => Result): Readonly<Record<string, Result>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, make(value)]));
