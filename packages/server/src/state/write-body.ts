/** Reads the bodies of state writes. @see docs/contract.md §4.5 and §4.6 */
import { commentCharactersMax } from '@holdfast/contract';
import { isJsonObject, type PatchOperation, printJson, readOperations } from '@holdfast/json';
import { Refusal } from '../access/refusal.ts';

export interface Replacement {
  readonly stateText: string;
  readonly comment: string | null;
}

export interface Patch {
  readonly operations: readonly PatchOperation[];
  readonly comment: string | null;
}

/** The document and comment of a PUT body; unknown members are passed over. Refuses `validation_error`. */
export function readReplacement(body: unknown): Replacement {
  const members = readObject(body, 'state');
  if (!Object.hasOwn(members, 'state')) throw new Refusal('validation_error', 'body: "state" is missing');
  const { state } = members;
  if (!isJsonObject(state)) throw new Refusal('validation_error', 'body: "state" must be a JSON object');
  return { comment: readComment(members), stateText: printJson(state) };
}

/** The operations and comment of a PATCH body. Refuses `validation_error` and the static codes of JSON Patch. */
export function readPatch(body: unknown): Patch {
  const members = readObject(body, 'ops');
  const comment = readComment(members);
  const operations = readOperations(Object.hasOwn(members, 'ops') ? members.ops : undefined);
  if ('kind' in operations) throw new Refusal(operations.code, operations.message);
  return { operations, comment };
}

function readObject(body: unknown, member: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(body)) return body;
  throw new Refusal('validation_error', `the body must be a JSON object with a member "${member}"`);
}

function readComment(members: Readonly<Record<string, unknown>>): string | null {
  if (!Object.hasOwn(members, 'comment')) return null;
  const { comment } = members;
  if (comment === null || (typeof comment === 'string' && comment.length <= commentCharactersMax)) return comment;
  const rule = `must be a string of at most ${commentCharactersMax} characters, or null`;
  throw new Refusal('validation_error', `body: "comment" ${rule}`);
}
