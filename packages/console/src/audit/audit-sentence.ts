/** Says what a record of the audit trail is about. */
import { isAuditAction } from '@holdfast/contract';
import type { AuditTexts } from '../texts/audit-en.ts';

/** What was done, as the end of a sentence that begins with the actor. */
interface Sentence {
  readonly before: string;
  /** After the target; undefined if the sentence does not name it. */
  readonly after: string | undefined;
}

/** Returns the sentence about an action. One that is unknown is shown by its name. */
export function sentenceOf({ actions }: AuditTexts, action: string): Sentence {
  const [before = '', after] = (isAuditAction(action) ? actions[action].sentence : `${action} {}`).split('{}');
  return { before: before.trimEnd(), after };
}

/** Returns the label of an action in a list. One that is unknown is shown by its name. */
export const actionText = ({ actions }: AuditTexts, action: string): string =>
  isAuditAction(action) ? actions[action].label : action;
