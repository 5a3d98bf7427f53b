/** Turns rows into projects and API keys, and fields of projects into columns. */

import type { ApiKey } from '../contract/management.ts';
import { namedProjectFields, type Project, type ProjectFieldName, projectFields } from '../contract/projects.ts';
import { integerAt, jsonAt, optionalIntegerAt, type Row, textAt, wordAt, wordsAt } from './columns.ts';
import { environmentNames } from './environment-numbers.ts';
import { decodeText, encodeText } from './stored-texts.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of a field in a row with its column. Members that a stored object lacks have their default. */
export function projectFieldAt<Name extends ProjectFieldName>(row: Row, name: Name): Project[Name] {
  const { column, form, isNullable, default: byDefault } = projectFields[name];
  const read = () => {
    if (isNullable && row[column] === null) return byDefault;
    if (form === 'text') return decodeText(row[column]);
    if (form !== 'json') return wordAt(row, column, form);
    const value = jsonAt<unknown>(row, column);
    return isObject(value) && isObject(byDefault) ? { ...byDefault, ...value } : value;
  };
  return read() as Project[Name];
}

/** Returns the value of a field's column. */
export function projectColumn(name: ProjectFieldName, value: unknown): string | null {
  const { form, isNullable, default: byDefault } = projectFields[name];
  if (form === 'text') return encodeText(value as string);
  if (form !== 'json') return value as string;
  const text = JSON.stringify(value);
  return isNullable && text === JSON.stringify(byDefault) ? null : text;
}

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

export const toApiKey = (row: Row): ApiKey => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  keyId: textAt(row, 'key_id'),
  name: decodeText(row.name),
  start: textAt(row, 'start'),
  kind: wordAt(row, 'kind', ['secret', 'publishable']),
  access: wordAt(row, 'access', ['read', 'write']),
  environments: wordsAt(row, 'environments', environmentNames),
  createdAt: integerAt(row, 'created_at'),
  lastUsedAt: optionalIntegerAt(row, 'last_used_at'),
  expiresAt: optionalIntegerAt(row, 'expires_at'),
  requestsPerMinute: optionalIntegerAt(row, 'requests_per_minute_max'),
});
