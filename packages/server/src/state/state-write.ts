/**
 * The one mechanism by which public state and user state are written: body, precondition, patch, size, then one conditional
 * write of the store. The evaluator decides on which thread a body is evaluated.
 *
 * @see docs/contract.md §4.3 and §4.7
 */
import { stateCharactersMax } from '@holdfast/contract';
import type { TextEdit, ValueEnds } from '@holdfast/json';
import type { Owner } from '../common/fair-queue.ts';
import { quotaReached } from '../common/quota-refusal.ts';
import { Refusal } from '../common/refusal.ts';
import type { FoundRepeat, Repeat } from '../storage/repeat-store.ts';
import type { Awaitable, Expectation, ProjectKey, ReadOutcome, Store, WriteOutcome } from '../storage/store.ts';
import { differenceOf } from './changes/difference.ts';
import type { Announcement } from './changes/events.ts';
import { type Evaluation, type EvaluationRequest, evaluateQuickly } from './evaluate-body.ts';
import { EvaluationThreads } from './evaluation-threads.ts';
import { keyReused, type SentRepeat } from './idempotency.ts';
import { conflict, isSatisfied, overtaken, type Precondition } from './precondition.ts';

/** A document to be written: its compact JSON text, the size of that in UTF-8, and the comment on the change. */
export interface NewState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** The UTF-8 bytes, of a large document only. */
  readonly stateUtf8: Uint8Array | undefined;
  readonly comment: string | null;
  /** What made the document of the one that the write expects, where that is known. */
  readonly edits?: readonly TextEdit[] | undefined;
  /** What is known of the text; a store hands it out again with the record, or forgets it. */
  readonly ends?: ValueEnds | undefined;
}

export interface WrittenState extends NewState {
  readonly version: number;
}

/** A record of either kind of state; that of an end user has no comment. */
interface StoredState {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
  readonly comment?: string | null;
  readonly ends?: ValueEnds | undefined;
}

/** The place of one document in the store. */
export interface StateSlot {
  /** For whom large bodies are evaluated. */
  readonly owner: Owner;
  read(): Awaitable<ReadOutcome<StoredState>>;
  /** Whether this write was carried out before. Undefined: its client gave no key. */
  readonly findRepeat: (() => Awaitable<FoundRepeat | undefined>) | undefined;
  /** `before` is what was read of the document, if it was. */
  write(expected: Expectation, next: NewState, before: StoredState | undefined): Promise<WriteOutcome>;
  /** Called with what was written, for those who watch the document. Undefined: it may have been written or not. */
  announce(written: Announcement | undefined): void;
}

/**
 * Replaces the document by that of the body. Refuses `validation_error` for the body and for a document that is too long,
 * `version_conflict`, `not_found` when the project is gone, `idempotency_key_reused`.
 */
export async function replaceState(
  evaluator: Evaluator,
  slot: StateSlot,
  precondition: Precondition,
  body: Uint8Array,
): Promise<WrittenState> {
  const evaluation = await evaluator.evaluate(slot.owner, { kind: 'replacement', body });
  if (evaluation.kind === 'state') return write(slot, precondition, evaluation);
  const repeat = await slot.findRepeat?.();
  if (repeat !== undefined) return repeated(slot, repeat);
  const version = versionOf(await readCurrent(slot));
  if (evaluation.kind === 'conflict' || !isSatisfied(precondition, version)) throw conflict(precondition, version);
  throw tooLarge('validation_error', evaluation.characters);
}

/**
 * Applies the operations of the body to the document, or to `{}` where there is none. Refuses `validation_error`, the codes of
 * JSON Patch, `version_conflict`, `patch_state_too_large`, `not_found` when the project is gone, `idempotency_key_reused`.
 */
export async function patchState(
  evaluator: Evaluator,
  slot: StateSlot,
  precondition: Precondition,
  body: Uint8Array,
): Promise<WrittenState> {
  const record = await readCurrent(slot);
  const version = versionOf(record);
  // After the read: a write that made the precondition fail is visible by then.
  const repeat = await slot.findRepeat?.();
  const holds = repeat === undefined && isSatisfied(precondition, version);
  const current = holds ? record : null;
  const request = { kind: 'patch', body, currentText: current?.stateText ?? null, isSatisfied: holds } as const;
  const evaluation = await evaluator.evaluate(slot.owner, request, current?.ends);
  if (repeat !== undefined) return repeated(slot, repeat);
  switch (evaluation.kind) {
    case 'state':
      return write(slot, precondition, evaluation, record ?? undefined);
    case 'too_large':
      throw tooLarge('patch_state_too_large', evaluation.characters);
    case 'conflict':
      throw conflict(precondition, version);
  }
}

/** The record that a read found, or null where there is none. Refuses `not_found` when the project is gone. */
export function recordOf<Record>(outcome: ReadOutcome<Record>): Record | null {
  switch (outcome.kind) {
    case 'present':
      return outcome.record;
    case 'absent':
      return null;
    case 'no_project':
      throw projectGone();
  }
}

/** The refusal of an operation on a project that does not exist, or no longer. */
export function projectGone(): Refusal {
  return new Refusal('not_found', 'there is no such project in this account');
}

async function readCurrent(slot: StateSlot) {
  return recordOf(await slot.read());
}

function versionOf(record: { readonly version: number } | null): number | null {
  return record === null ? null : record.version;
}

async function write(
  slot: StateSlot,
  precondition: Precondition,
  { stateText, comment, edits, ends }: Pick<NewState, 'stateText' | 'comment' | 'edits' | 'ends'>,
  before?: StoredState,
): Promise<WrittenState> {
  const expected = expectation(precondition);
  if (expected === undefined) {
    const repeat = await slot.findRepeat?.();
    if (repeat !== undefined) return repeated(slot, repeat);
    throw conflict(precondition, versionOf(await readCurrent(slot)));
  }
  const stateUtf8 = stateText.length < bytesCharactersMin ? undefined : Buffer.from(stateText);
  const stateBytes = stateUtf8?.length ?? Buffer.byteLength(stateText, 'utf8');
  const next = { stateText, stateBytes, stateUtf8, comment, edits, ends };
  let outcome: WriteOutcome;
  try {
    outcome = await slot.write(expected, next, before);
  } catch (error) {
    slot.announce(undefined);
    throw error;
  }
  switch (outcome.kind) {
    case 'written':
      slot.announce({ version: outcome.version, stateText, isCreation: expected.kind === 'absent' });
      return { version: outcome.version, ...next };
    case 'conflict':
      throw conflict(precondition, outcome.currentVersion);
    case 'no_project':
      throw projectGone();
    case 'quota':
      throw quotaReached(outcome);
    case 'repeated':
      return repeated(slot, outcome);
  }
}

/** The bytes of a smaller text are not worth keeping until it is sent. */
const bytesCharactersMin = 32_768;

/** The result of a write whose key is known. Refuses `idempotency_key_reused`, and `version_conflict` when it was overtaken. */
async function repeated(slot: StateSlot, { version, isSame }: FoundRepeat): Promise<WrittenState> {
  if (!isSame) throw keyReused();
  const record = await readCurrent(slot);
  if (record === null || record.version !== version) throw overtaken(version, versionOf(record));
  const { stateText, stateBytes, comment = null } = record;
  return { version, stateText, stateBytes, stateUtf8: undefined, comment };
}

/** Adds the document to what is kept of a write with a key. Refuses `not_found` when the project is gone. */
export async function inScope<Key extends ProjectKey>(
  store: Pick<Store, 'findProject'>,
  key: Key,
  sent: SentRepeat,
  scopeOf: (key: Key, projectCreatedAt: number) => string,
): Promise<Repeat> {
  const project = await store.findProject(key);
  if (project === undefined) throw projectGone();
  return { ...sent, scope: scopeOf(key, project.createdAt) };
}

/** What the write expects to find; undefined when no record can satisfy the precondition. */
function expectation(precondition: Precondition): Expectation | undefined {
  if (precondition.kind === 'absent') return { kind: 'absent' };
  if (precondition.kind === 'both') return undefined;
  const version = Number(precondition.version);
  return version > 0 && Number.isSafeInteger(version) ? { kind: 'version', version } : undefined;
}

function tooLarge(code: 'validation_error' | 'patch_state_too_large', characters: number): Refusal {
  return new Refusal(code, `the state would take ${characters} characters; at most ${stateCharactersMax} are stored`);
}

/**
 * Bodies up to this size are evaluated on the main thread: 64 KiB of the worst JSON hold it for 5 to 20 ms, ordinary ones for less than
 * 1 ms, and a message to a thread and back takes about as long.
 */
const bodyBytesHereMax = 65_536;

/** Pairs of documents up to this many characters together are compared on the main thread: parsing them is most of the work. */
const comparedHereCharactersMax = 16_384;

const defaultIdleMilliseconds = 10_000;

/** Evaluates the bodies of state writes without holding the event loop for long. */
export interface Evaluator {
  /**
   * The result of a body, in its owner's turn. Refuses what the body is refused for, and `service_unavailable` when too many large
   * bodies are waiting. Rejects with an error when the evaluation itself fails. `ends` is what is known of the text that a patch changes.
   */
  evaluate(owner: Owner, request: EvaluationRequest, ends?: ValueEnds): Promise<Exclude<Evaluation, { kind: 'refused' }>>;
  /**
   * The operations that lead from one stored document to another, as JSON text; undefined when they are too long to tell, or too many
   * large documents are waiting. Rejects with an error when the comparison itself fails.
   */
  compare(owner: Owner, fromText: string, toText: string): Promise<string | undefined>;
  /** Ends the threads for large bodies. */
  close(): Promise<void>;
}

export interface EvaluatorOptions {
  /** Runs a piece of work of an owner now or in a later turn of the event loop. */
  readonly inTurn: <Result>(owner: () => Owner, work: () => Result) => Awaitable<Result>;
  /** The largest possible body. */
  readonly bodyBytesMax: number;
  /** How long a thread without work is kept. Default 10 s. */
  readonly idleMilliseconds?: number;
  /** How many threads there may be. By default that follows from the cores of the machine. */
  readonly threadsMax?: number;
}

/** Makes an evaluator. It has no thread until the first large body. */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const { inTurn, bodyBytesMax, idleMilliseconds = defaultIdleMilliseconds, threadsMax } = options;
  const threads = new EvaluationThreads({ bodyBytesMax, idleMilliseconds, threadsMax });

  const evaluateHere = (
    owner: Owner,
    request: EvaluationRequest,
    ends: ValueEnds | undefined,
  ): Awaitable<Evaluation | undefined> =>
    request.body.length > bodyBytesHereMax
      ? undefined
      : inTurn(
          () => owner,
          () => evaluateQuickly(request, ends),
        );

  return {
    async evaluate(owner, request, ends) {
      const evaluation = (await evaluateHere(owner, request, ends)) ?? (await threads.run(owner, request));
      if (evaluation.kind === 'refused') throw new Refusal(evaluation.code, evaluation.message);
      return evaluation;
    },
    async compare(owner, fromText, toText) {
      const request = { kind: 'difference', fromText, toText } as const;
      if (fromText.length + toText.length <= comparedHereCharactersMax) {
        const difference = inTurn(
          () => owner,
          () => differenceOf(request),
        );
        return (await difference).operations;
      }
      try {
        return (await threads.run(owner, request)).operations;
      } catch (error) {
        if (error instanceof Refusal) return undefined;
        throw error;
      }
    },
    close: () => threads.close(),
  };
}
