/** Records of the audit trail in words. */
import type { AuditRecord } from '../api/audit.ts';
import type { Texts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

/** What was done, as the end of a sentence that begins with who did it. An action that this console does not know is named as it is. */
export const actionText = (t: Texts, action: string): string => {
  const actions: Readonly<Record<string, string>> = t.audit.actions;
  return Object.hasOwn(actions, action) ? (actions[action] ?? action) : action;
};

export function actorText(t: Texts, { kind, id, name }: AuditRecord['actor']): string {
  if (kind === 'operator') return t.audit.operator;
  const called = name ?? id;
  if (kind === 'service_account') return t.audit.byService(called);
  if (kind === 'api_key') return t.audit.byKey(called);
  return called;
}

/** `protectedEnvironments` as `protected environments`. */
export const fieldName = (name: string): string => plain(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** A value in a line; nothing in it is a document or a secret. */
export function valueText(value: unknown): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(valueText).join(', ');
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
