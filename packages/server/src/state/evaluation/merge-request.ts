/** Requests to evaluation threads about proposals: reading one from a body, and merging one into a document. Pure. */
import { listedConflictsMax, nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import {
  applyOperations,
  diff,
  type JsonObject,
  type JsonValue,
  type MergeConflict,
  merge3,
  parseDocument,
  parseJson,
  printJson,
  readOperations,
} from '@holdfast/json';
import { Refusal } from '../../common/requests/refusal.ts';
import { parseTime } from '../../common/requests/time.ts';
import { invalid, membersOf, patchEnvelopeDepth } from './body-members.ts';
import { commentIn } from './comment.ts';
import { orRefused, type Refused } from './thread-refusal.ts';

export type MergeRequest =
  | { readonly kind: 'proposal_body'; readonly body: Uint8Array }
  | {
      readonly kind: 'merge';
      readonly baseText: string;
      readonly currentText: string;
      /** The other side: operations on the base, or the document that they lead to. */
      readonly proposed: { readonly opsText: string } | { readonly stateText: string };
    };

/** The members of a body; those that it leaves out are undefined. */
export interface SentProposal {
  readonly kind: 'proposal';
  readonly baseVersion: number | null | undefined;
  readonly opsText: string | undefined;
  readonly comment: string | null | undefined;
  /** Milliseconds since the epoch. */
  readonly applyAt: number | null | undefined;
  readonly revertAt: number | null | undefined;
}

export interface Merged {
  readonly kind: 'merged';
  /** The current document with all changes that do not conflict. */
  readonly stateText: string;
  /** JSON text of the operations from the current document to that. */
  readonly opsText: string;
  readonly isUnchanged: boolean;
  /** JSON Pointers into the current document, each once; some of them if there are many. */
  readonly conflicts: readonly string[];
}

export type MergeReply =
  | SentProposal
  | Merged
  /** The operations do not apply to the base, which is then another one. */
  | { readonly kind: 'unmergeable' }
  | Refused;

/** Carries out the request. */
export function answerMerge(request: MergeRequest): MergeReply {
  if (request.kind === 'merge') return merge(request);
  return orRefused(() => readBody(request.body));
}

function readBody(body: Uint8Array): SentProposal {
  const members = membersOf(body);
  const { baseVersion } = members;
  const isVersion = typeof baseVersion === 'number' && Number.isSafeInteger(baseVersion) && baseVersion > 0;
  if (baseVersion !== undefined && baseVersion !== null && !isVersion)
    throw invalid('"baseVersion" must be the number of a version, or null');
  return {
    kind: 'proposal',
    baseVersion: baseVersion as number | null | undefined,
    comment: commentIn(members),
    applyAt: timeIn(members, 'applyAt'),
    revertAt: timeIn(members, 'revertAt'),
    opsText: Object.hasOwn(members, 'ops') ? opsTextOf(members.ops) : undefined,
  };
}

/** The longest time that is read. */
const timeCharactersMax = 64;

function timeIn(members: JsonObject, name: string): number | null | undefined {
  const value = members[name];
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' && value.length <= timeCharactersMax) return parseTime(name, value);
  throw invalid(`"${name}" must be a time of RFC 3339, such as 2030-12-31T23:59:59Z, or null`);
}

/** The operations as stored, without unknown members. */
function opsTextOf(ops: JsonValue | undefined): string {
  const operations = readOperations(ops);
  if ('kind' in operations) throw new Refusal(operations.code, operations.message);
  const text = printJson(
    operations.map(({ op, path, ...rest }) => ({ op, path, ...('value' in rest && { value: rest.value }) })) as JsonValue,
  );
  if (text.length <= stateCharactersMax) return text;
  throw new Refusal(
    'patch_state_too_large',
    `the operations would take ${text.length} characters; at most ${stateCharactersMax} are stored`,
  );
}

function merge({ baseText, currentText, proposed }: Extract<MergeRequest, { kind: 'merge' }>): MergeReply {
  const [base, current] = [parseDocument(baseText), parseDocument(currentText)];
  const document = 'stateText' in proposed ? parseDocument(proposed.stateText) : patched(base, proposed.opsText);
  if (document === undefined) return { kind: 'unmergeable' };
  const { conflicts, build } = merge3(base, current, document);
  const merged = build('theirs');
  const ops = diff(current, merged);
  return {
    kind: 'merged',
    stateText: printJson(merged),
    opsText: printJson(ops as unknown as JsonValue),
    isUnchanged: ops.length === 0,
    conflicts: listed(conflicts),
  };
}

/** The document that operations lead to; undefined if they do not apply. */
function patched(base: JsonObject, opsText: string): JsonObject | undefined {
  const operations = readOperations(parseJson(opsText, nestingDepthMax + patchEnvelopeDepth));
  const outcome = 'kind' in operations ? undefined : applyOperations(base, operations);
  return outcome?.kind === 'patched' ? outcome.document : undefined;
}

/** The pointers of the first conflicts, each once. */
function listed(conflicts: readonly MergeConflict[]): string[] {
  const pointers = new Set<string>();
  for (const { pointer } of conflicts) {
    pointers.add(pointer);
    if (pointers.size === listedConflictsMax) break;
  }
  return [...pointers];
}
