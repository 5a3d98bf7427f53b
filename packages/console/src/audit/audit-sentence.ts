/** Says what a record of the audit trail is about. */
import type { AuditTexts } from '../texts/audit-en.ts';

/** What was done, as the end of a sentence that begins with the actor: before and after the target, or only before it. An unknown action is shown by its name. */
export function sentenceOf(a: AuditTexts, action: string): readonly [before: string, after: string | undefined] {
  const actions: Readonly<Record<string, string>> = a.actions;
  const text = (Object.hasOwn(actions, action) ? actions[action] : undefined) ?? action;
  const [before = '', after] = text.split('{}');
  return [before.trimEnd(), after];
}

/** An action without its target and the preposition before that, with a capital letter, for a list of actions. */
export function actionText(a: AuditTexts, action: string): string {
  const [before, after] = sentenceOf(a, action);
  const text = `${before.replace(/(?: in| of| von|:)$/, '')}${after ?? ''}`.replace(/^(?:hat|ist) /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether the target says nothing new: the actor, or the account. */
export const isTargetKnown = (action: string): boolean => action === 'member.join' || action.startsWith('account.');
