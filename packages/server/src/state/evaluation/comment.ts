/** The comment on a change. @see docs/contract.md §4.7 */
import { commentCharactersMax } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import { isBlank } from '../../common/text/shown-text.ts';

/** Returns the comment in a body; undefined if it has none. Refuses `validation_error`. */
export function commentIn({ comment }: { readonly comment?: unknown }): string | null | undefined {
  if (comment === undefined || comment === null) return comment;
  if (typeof comment === 'string' && comment.length <= commentCharactersMax) return comment;
  const rule = `must be a string of at most ${commentCharactersMax} characters, or null`;
  throw new Refusal('validation_error', `body: "comment" ${rule}`);
}

/** Returns the comment in a body, or null. Refuses `validation_error`, also if one is required and missing. */
export function readComment(members: { readonly comment?: unknown }, isRequired: boolean | undefined): string | null {
  const comment = commentIn(members) ?? null;
  if (isRequired === true) requireComment(comment);
  return comment;
}

/** Throws `validation_error` unless there is a comment. */
export function requireComment(comment: string | null): void {
  if (isBlank(comment ?? '')) throw uncommented();
}

/** The refusal of a change in a protected environment that says nothing. */
export const uncommented = (): Refusal =>
  new Refusal('validation_error', 'body: "comment" must say what the change is for: the environment is protected');
