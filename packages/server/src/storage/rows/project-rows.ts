/** Turns rows into projects, and fields of projects into columns. */

import { isObject } from '../../common/objects.ts';
import type { ProjectField } from '../contract/project-field.ts';
import { namedProjectFields, type Project, type ProjectFieldName, projectFields } from '../contract/projects.ts';
import { decodedTextAt, integerAt, jsonAt, type Row, textAt, wordAt } from './columns.ts';

/** Returns the value of a field in a row with its column. Members that a stored object lacks have their default. */
export function fieldAt<Value>(row: Row, { column, form, isNullable, default: byDefault }: ProjectField<Value>): Value {
  const read = () => {
    if (isNullable && row[column] === null) return byDefault;
    if (form === 'text') return decodedTextAt(row, column);
    if (form !== 'json') return wordAt(row, column, form);
    const value = jsonAt<unknown>(row, column);
    return isObject(value) && isObject(byDefault) ? { ...byDefault, ...value } : value;
  };
  return read() as Value;
}

/** Returns the value of a field's column. */
export function columnOf<Value>(
  { form, isNullable, default: byDefault }: ProjectField<Value>,
  value: Value,
): string | null {
  const text = JSON.stringify(value);
  if (isNullable && text === JSON.stringify(byDefault)) return null;
  return form === 'json' || form === 'text' ? text : String(value);
}

/** As `fieldAt`, for the field with this name. */
export const projectFieldAt = <Name extends ProjectFieldName>(row: Row, name: Name): Project[Name] =>
  fieldAt<unknown>(row, projectFields[name]) as Project[Name];

/** As `columnOf`, for the field with this name. */
export const projectColumn = (name: ProjectFieldName, value: unknown): string | null =>
  columnOf<unknown>(projectFields[name], value);

/** The columns of `projects` that `toProject` needs, except those of its account. */
export const projectColumns = [
  'account_id, slug, projects.created_at',
  ...namedProjectFields.map(([, { column }]) => `projects.${column}`),
].join(', ');

/** Returns the project of a row with these columns. */
export const toProject = (row: Row): Project => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  createdAt: integerAt(row, 'created_at'),
  ...(Object.fromEntries(namedProjectFields.map(([name]) => [name, projectFieldAt(row, name)])) as Pick<
    Project,
    ProjectFieldName
  >),
});
