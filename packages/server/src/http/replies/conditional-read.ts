/**
 * Conditional reads: if `If-None-Match` names the current version, the client gets 304 without a body. Tags are compared weakly. Lists and
 * `*` are allowed; malformed tags are ignored.
 *
 * @see docs/contract.md §4.2, RFC 9110 §13.1.2
 */
import type { Reply } from './reply.ts';

/** The header of a conditional read. */
export interface ReadCondition {
  readonly 'if-none-match'?: string | undefined;
}

/** Whether the client has this version of a record. */
export const hasVersion = ({ 'if-none-match': ifNoneMatch }: ReadCondition, version: number): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch, `"${version}"`);

/** Whether the client has the representation named by a weak entity tag, such as `W/"7"`. */
export const hasWeakTag = ({ 'if-none-match': ifNoneMatch }: ReadCondition, tag: `W/"${string}"`): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch, tag.slice(2));

/** The reply to a client whose copy is current. */
export type Unchanged = Reply<304, undefined>;

/** Returns it, with the headers that the 200 would have, but for those of its content. */
export const unchangedReply = (headers: readonly string[]): Unchanged => ({ status: 304, headers });

/** Whether the header contains a tag, given without `W/`. Does not split the list, so a long list takes no memory. */
function names(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch === '*') return true;
  for (let at = ifNoneMatch.indexOf(tag); at >= 0; at = ifNoneMatch.indexOf(tag, at + 1)) {
    if (beginsMember(ifNoneMatch, at) && endsMember(ifNoneMatch, at + tag.length)) return true;
  }
  return false;
}

/** Whether a list member begins at this index, with or without `W/`. */
function beginsMember(list: string, at: number): boolean {
  let before = at - 1;
  if (list[before] === '/' && list[before - 1] === 'W') before -= 2;
  while (isBlank(list[before])) before--;
  return before < 0 || list[before] === ',';
}

function endsMember(list: string, at: number): boolean {
  let after = at;
  while (isBlank(list[after])) after++;
  return after === list.length || list[after] === ',';
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
