/**
 * The one mechanism by which public state and user state are written: body, precondition, patch, size, then one conditional
 * write of the store.
 *
 * @see docs/contract.md §4.3 and §4.7
 */
import { stateCharactersMax } from '@holdfast/contract';
import type { Owner } from '../common/fair-queue.ts';
import { quotaReached } from '../common/quota-refusal.ts';
import { Refusal } from '../common/refusal.ts';
import { shareUtf8 } from '../common/utf8.ts';
import type { FoundRepeat } from '../storage/repeat-store.ts';
import type { Awaitable, Expectation, ReadOutcome, WriteOutcome } from '../storage/store.ts';
import type { Evaluator } from './evaluator.ts';
import { conflict, isSatisfied, overtaken, type Precondition } from './precondition.ts';

/** A document to be written: its compact JSON text, with the UTF-8 bytes of that, and what is said about the change. */
export interface NewState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** Those bytes, of a large document only. */
  readonly stateUtf8: Uint8Array | undefined;
  readonly comment: string | null;
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
}

/** The place of one document in the store. */
export interface StateSlot {
  /** For whom large bodies are evaluated. */
  readonly owner: Owner;
  read(): Awaitable<ReadOutcome<StoredState>>;
  /** Whether this write was carried out before. Undefined: its client gave no key. */
  readonly findRepeat: (() => Awaitable<FoundRepeat | undefined>) | undefined;
  write(expected: Expectation, next: NewState): Promise<WriteOutcome>;
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
  // After the read: what has made the precondition fail is then known.
  const repeat = await slot.findRepeat?.();
  const holds = repeat === undefined && isSatisfied(precondition, version);
  const currentText = holds && record !== null ? record.stateText : null;
  const evaluation = await evaluator.evaluate(slot.owner, { kind: 'patch', body, currentText, isSatisfied: holds });
  if (repeat !== undefined) return repeated(slot, repeat);
  switch (evaluation.kind) {
    case 'state':
      return write(slot, precondition, evaluation);
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
  { stateText, comment }: Pick<NewState, 'stateText' | 'comment'>,
): Promise<WrittenState> {
  const expected = expectation(precondition);
  if (expected === undefined) {
    const repeat = await slot.findRepeat?.();
    if (repeat !== undefined) return repeated(slot, repeat);
    throw conflict(precondition, versionOf(await readCurrent(slot)));
  }
  const stateUtf8 = shareUtf8(stateText);
  const stateBytes = stateUtf8?.length ?? Buffer.byteLength(stateText, 'utf8');
  const next = { stateText, stateBytes, stateUtf8, comment };
  const outcome = await slot.write(expected, next);
  switch (outcome.kind) {
    case 'written':
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

/** The result of a write whose key is known. Refuses `idempotency_key_reused`, and `version_conflict` when it was overtaken. */
async function repeated(slot: StateSlot, { version, isSame }: FoundRepeat): Promise<WrittenState> {
  if (!isSame) {
    throw new Refusal(
      'idempotency_key_reused',
      'this Idempotency-Key was sent with another body or precondition; take a new key for another write',
    );
  }
  const record = await readCurrent(slot);
  if (record === null || record.version !== version) throw overtaken(version, versionOf(record));
  const { stateText, stateBytes, comment = null } = record;
  return { version, stateText, stateBytes, stateUtf8: undefined, comment };
}

/** What the store has to find; undefined when no record can satisfy the precondition. */
function expectation(precondition: Precondition): Expectation | undefined {
  if (precondition.kind === 'absent') return { kind: 'absent' };
  if (precondition.kind === 'both') return undefined;
  const version = Number(precondition.version);
  return version > 0 && Number.isSafeInteger(version) ? { kind: 'version', version } : undefined;
}

function tooLarge(code: 'validation_error' | 'patch_state_too_large', characters: number): Refusal {
  return new Refusal(code, `the state would take ${characters} characters; at most ${stateCharactersMax} are stored`);
}
