/** Describes records of the audit trail: who, and which values. */
import { type AuditFieldKind, auditFields, isAuditField } from '@holdfast/contract';
import type { AuditTexts } from '../texts/audit-en.ts';
import { formatBytes, formatNumber, formatTime, type Texts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import type { AuditRecord } from './audit-filter.ts';
import { actionText } from './audit-sentence.ts';

export function actorText(t: Texts, a: AuditTexts, { kind, id, name }: AuditRecord['actor']): string {
  if (kind === 'operator') return t.audit.operator;
  const called = name ?? id;
  if (kind === 'service_account') return a.byService(called);
  if (kind === 'api_key') return a.byKey(called);
  return called;
}

/** Returns the label of a field, or of an action in a summary. One that is unknown is shown by its name. */
export function fieldText(a: AuditTexts, name: string): string {
  return isAuditField(name) ? a.fields[name] : plain(actionText(a, name));
}

/** What the value of a field is; undefined if it is unknown. */
export const kindOf = (name: string): AuditFieldKind | undefined => (isAuditField(name) ? auditFields[name] : undefined);

/** Returns a field's value in one line. It never contains documents or secrets. */
export function valueText(t: Texts, a: AuditTexts, name: string, value: unknown): string {
  if (value === null) return (isAuditField(name) ? a.nothing[name] : undefined) ?? '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => valueText(t, a, name, one)).join(', ');
  const kind = kindOf(name);
  if (isObject(value)) return objectText(t, a, kind, value);
  if (typeof value === 'boolean') return value ? a.yes : a.no;
  if (typeof value === 'number') return numberText(t, kind, value);
  if (kind === 'time' && isTime(value)) return formatTime(value);
  const words: Readonly<Partial<Record<string, Words>>> = a.words;
  return wordIn(words[name], String(value)) ?? plain(String(value));
}

function numberText(t: Texts, kind: AuditFieldKind | undefined, value: number): string {
  if (kind === 'bytes') return formatBytes(value);
  return kind === 'version' ? t.common.version(value) : formatNumber(value);
}

type Members = Readonly<Partial<Record<string, unknown>>>;

function objectText(t: Texts, a: AuditTexts, kind: AuditFieldKind | undefined, value: Members): string {
  const number = (of: unknown) => formatNumber(Number(of));
  const listed = (labels: Words) =>
    Object.entries(value).map(
      ([key, one]) => `${wordIn(labels, key) ?? plain(key)}: ${one === null ? '–' : plain(String(one))}`,
    );
  switch (kind) {
    case 'failure':
      return plain(String(value.message));
    case 'retention':
      return a.retention(number(value.versions), number(value.days));
    case 'numbers by environment':
      return listed(t.environments).join(', ');
    case 'mail words':
      return listed(a.mailWords).join(', ');
    default:
      return 'count' in value && isTime(value.lastAt)
        ? a.counted(number(value.count), formatTime(value.lastAt))
        : listed({}).join(', ');
  }
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Whether a value is a time of the service. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);

type Words = Readonly<Record<string, string>>;

function wordIn(words: Words | undefined, value: string): string | undefined {
  return words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
}
