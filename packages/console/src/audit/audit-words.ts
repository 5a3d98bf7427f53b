/** Describes records of the audit trail: who, and which values. */
import type { AuditRecord } from '../api/audit-filter.ts';
import type { AuditTexts } from '../texts/audit-en.ts';
import { formatTime, type Texts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

export function actorText(t: Texts, a: AuditTexts, { kind, id, name }: AuditRecord['actor']): string {
  if (kind === 'operator') return t.audit.operator;
  const called = name ?? id;
  if (kind === 'service_account') return a.byService(called);
  if (kind === 'api_key') return a.byKey(called);
  return called;
}

/** Returns the label of a field: `protectedEnvironments` is `Protected environments`, unless the language has another. */
export function fieldName(a: AuditTexts, name: string): string {
  const known = Object.hasOwn(a.fields, name) ? a.fields[name] : undefined;
  return known ?? plain(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, upper));
}

const upper = (letter: string): string => letter.toUpperCase();

/** Whether a field's value is for machines. */
export const isIdentifier = (name: string): boolean => /(?:Id|Uris)$|^(?:issuer|slug|start)$/.test(name);

/** Returns a field's value in one line. It never contains documents or secrets. */
export function valueText(t: Texts, a: AuditTexts, name: string, value: unknown): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => valueText(t, a, name, one)).join(', ');
  if (typeof value === 'boolean') return wordIn(a.values, String(value)) ?? String(value);
  if (typeof value === 'object') return objectText(t, a, value);
  if (name === 'baseVersion' && typeof value === 'number') return t.common.version(value);
  if (typeof value !== 'string') return plain(JSON.stringify(value));
  if (isTime(value)) return formatTime(value);
  return wordIn(wordsOf(t, a, name), value) ?? plain(value);
}

/** Faults are shown by their message, other objects member by member. */
function objectText(t: Texts, a: AuditTexts, value: object): string {
  if ('message' in value && typeof value.message === 'string') return plain(value.message);
  const members = Object.entries(value).map(([key, one]) => [
    wordIn(t.environments, key) ?? plain(key),
    valueText(t, a, key, one),
  ]);
  return members.map((one) => one.join(': ')).join(', ');
}

/** Whether a value is a time of the service. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);

type Words = Readonly<Record<string, string>>;

/** The translated values of a field; undefined if its values are not words. */
function wordsOf(t: Texts, a: AuditTexts, name: string): Words | undefined {
  if (name === 'role') return t.team.roles;
  if (/environments?$/i.test(name)) return t.environments;
  if (name === 'flagsCheck') return a.switches;
  return /^(?:access|kind|mode|secret)$/.test(name) ? a.values : undefined;
}

function wordIn(words: Words | undefined, value: string): string | undefined {
  return words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
}
