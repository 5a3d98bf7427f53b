/** Requests to evaluation threads about proposals: reading one from a body, and merging one into a document. Pure. */
import { commentCharactersMax, listedConflictsMax, nestingDepthMax, stateCharactersMax } from '@holdfast/contract';
import {
  applyOperations,
  decodeUtf8,
  diff,
  isJsonObject,
  type JsonObject,
  JsonTextError,
  type JsonValue,
  type MergeConflict,
  merge3,
  parseDocument,
  parseJson,
  printJson,
  readOperations,
} from '@holdfast/json';
import { Refusal } from '../common/refusal.ts';

export type MergeRequest =
  | { readonly kind: 'proposal_body'; readonly body: Uint8Array }
  | {
      readonly kind: 'merge';
      /** The document that the operations change. */
      readonly baseText: string;
      readonly opsText: string;
      readonly currentText: string;
    };

/** The members of a body; those that it leaves out are undefined. */
export interface SentProposal {
  readonly kind: 'proposal';
  readonly baseVersion: number | null | undefined;
  readonly opsText: string | undefined;
  readonly comment: string | null | undefined;
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
  | { readonly kind: 'refused'; readonly refusal: Pick<Refusal, 'code' | 'message'> };

/** Carries out the request. */
export function answerMerge(request: MergeRequest): MergeReply {
  if (request.kind === 'merge') return merge(request.baseText, request.opsText, request.currentText);
  try {
    return readBody(request.body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return { kind: 'refused', refusal: { code, message } };
  }
}

/** Nesting levels of the body, the list and the operation around a value. */
const envelopeDepth = 3;

function readBody(body: Uint8Array): SentProposal {
  const members = membersOf(body);
  const { baseVersion, comment } = members;
  for (const name of ['applyAt', 'revertAt']) {
    if (members[name] != null) throw invalid(`"${name}" is not supported by this service: leave it out`);
  }
  const isVersion = typeof baseVersion === 'number' && Number.isSafeInteger(baseVersion) && baseVersion > 0;
  if (baseVersion !== undefined && baseVersion !== null && !isVersion)
    throw invalid('"baseVersion" must be the number of a version, or null');
  if (comment !== undefined && comment !== null && !(typeof comment === 'string' && comment.length <= commentCharactersMax))
    throw invalid(`"comment" must be a string of at most ${commentCharactersMax} characters, or null`);
  return {
    kind: 'proposal',
    baseVersion: baseVersion as number | null | undefined,
    comment: comment as string | null | undefined,
    opsText: Object.hasOwn(members, 'ops') ? opsTextOf(members.ops) : undefined,
  };
}

function membersOf(body: Uint8Array): JsonObject {
  const text = decodeUtf8(body);
  if (text === undefined) throw invalid('it is not valid UTF-8');
  try {
    const value = parseJson(text, nestingDepthMax + envelopeDepth);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw invalid(error.message);
  }
  throw invalid('it must be a JSON object');
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

function merge(baseText: string, opsText: string, currentText: string): MergeReply {
  const [base, current] = [parseDocument(baseText), parseDocument(currentText)];
  const operations = readOperations(parseJson(opsText, nestingDepthMax + envelopeDepth));
  const proposed = 'kind' in operations ? undefined : applyOperations(base, operations);
  if (proposed === undefined || proposed.kind !== 'patched') return { kind: 'unmergeable' };
  const { conflicts, build } = merge3(base, current, proposed.document);
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

/** The pointers of the first conflicts, each once. */
function listed(conflicts: readonly MergeConflict[]): string[] {
  const pointers = new Set<string>();
  for (const { pointer } of conflicts) {
    pointers.add(pointer);
    if (pointers.size === listedConflictsMax) break;
  }
  return [...pointers];
}

const invalid = (fault: string): Refusal => new Refusal('validation_error', `body: ${fault}`);
