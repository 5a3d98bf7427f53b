/**
 * The one mechanism by which public state and user state are written: precondition, patch, size, then one conditional write
 * of the store.
 *
 * @see interface 4.2
 */
import { stateCharactersMax } from '@holdfast/contract';
import { Refusal } from '../access/refusal.ts';
import type { Awaitable, Expectation, ReadOutcome, WriteOutcome } from '../storage/store.ts';
import type { PatchOperation } from './json-patch.ts';
import { patchText } from './json-splice.ts';
import { conflict, isSatisfied, type Precondition } from './precondition.ts';

/** Compact JSON text of a document, with its UTF-8 bytes. */
export interface StateText {
  readonly stateText: string;
  readonly stateBytes: number;
}

export interface WrittenState extends StateText {
  readonly version: number;
}

/** The place of one document in the store. */
export interface StateSlot {
  read(): Awaitable<ReadOutcome<{ readonly version: number; readonly stateText: string }>>;
  write(expected: Expectation, next: StateText): Promise<WriteOutcome>;
}

/**
 * Replaces the document. Refuses `version_conflict`, `validation_error` when the text is too long, `not_found` when the
 * project is gone.
 */
export async function replaceState(slot: StateSlot, precondition: Precondition, stateText: string): Promise<WrittenState> {
  if (!fits(stateText)) {
    await checkPrecondition(slot, precondition); // comes before the size
    throw tooLarge('validation_error', stateText);
  }
  return write(slot, precondition, stateText);
}

/**
 * Applies the operations to the document, or to `{}` where there is none. Refuses `version_conflict`, the codes of JSON
 * Patch, `patch_state_too_large`, `not_found` when the project is gone.
 */
export async function patchState(
  slot: StateSlot,
  precondition: Precondition,
  operations: readonly PatchOperation[],
): Promise<WrittenState> {
  const record = await checkPrecondition(slot, precondition);
  const patching = patchText(record === null ? '{}' : record.stateText, operations);
  const patched = patching instanceof Promise ? await patching : patching;
  if (patched.kind === 'failure') throw new Refusal(patched.code, patched.message);
  if (!fits(patched.text)) throw tooLarge('patch_state_too_large', patched.text);
  return write(slot, precondition, patched.text);
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

async function checkPrecondition(slot: StateSlot, precondition: Precondition) {
  const outcome = slot.read();
  const record = recordOf(outcome instanceof Promise ? await outcome : outcome);
  const version = record === null ? null : record.version;
  if (!isSatisfied(precondition, version)) throw conflict(precondition, version);
  return record;
}

async function write(slot: StateSlot, precondition: Precondition, stateText: string): Promise<WrittenState> {
  const expected = expectation(precondition);
  if (expected === undefined) {
    await checkPrecondition(slot, precondition);
    throw new Error('a precondition that no record satisfies was satisfied');
  }
  const stateBytes = Buffer.byteLength(stateText, 'utf8');
  const outcome = await slot.write(expected, { stateText, stateBytes });
  switch (outcome.kind) {
    case 'written':
      return { version: outcome.version, stateText, stateBytes };
    case 'conflict':
      throw conflict(precondition, outcome.currentVersion);
    case 'no_project':
      throw projectGone();
  }
}

/** What the store has to find; undefined when no record can satisfy the precondition. */
function expectation(precondition: Precondition): Expectation | undefined {
  if (precondition.kind === 'absent') return { kind: 'absent' };
  if (precondition.kind === 'both') return undefined;
  const version = Number(precondition.version);
  return version > 0 && Number.isSafeInteger(version) ? { kind: 'version', version } : undefined;
}

function fits(stateText: string): boolean {
  return stateText.length <= stateCharactersMax;
}

function tooLarge(code: 'validation_error' | 'patch_state_too_large', stateText: string): Refusal {
  const message = `the state would take ${stateText.length} characters; at most ${stateCharactersMax} are stored`;
  return new Refusal(code, message);
}
