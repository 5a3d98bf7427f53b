/** Finds the new state in the body of a PUT without parsing it, if it is the current document with one other value. */
import { changedValue, type TextEdit } from '@holdfast/json';

/** What a body must be to be compared with the current document: a replacement that is not checked any further. */
interface Comparable {
  readonly currentText?: string | null | undefined;
  readonly requiresComment?: boolean | undefined;
  readonly schema?: unknown;
  readonly reads?: unknown;
}

/** The beginning of a body that has only a document. */
const bareBody = '{"state":';
/** Long bodies that differ more in length from the current document are not compared with it. */
const nearCharacters = 1_024;

/** Whether a long body may be a small change of the current document. */
export const mayBeSmallChange = ({ body, currentText }: Comparable & { readonly body: Uint8Array }): boolean =>
  currentText !== undefined && currentText !== null && Math.abs(body.length - currentText.length) <= nearCharacters;

/** Returns the new state in a body, and the edit that leads to it; undefined if only parsing the body can tell. */
export function smallChange(
  body: string,
  { currentText, requiresComment, schema, reads }: Comparable,
): { readonly stateText: string; readonly edit: TextEdit } | undefined {
  if (typeof currentText !== 'string' || requiresComment || schema !== undefined || reads !== undefined) return undefined;
  if (!body.startsWith(bareBody) || !body.endsWith('}')) return undefined;
  const stateText = body.slice(bareBody.length, -1);
  const edit = changedValue(currentText, stateText);
  return edit && { stateText, edit };
}
