/**
 * The only way to write public state and user state: checks repeat, body, precondition, patch and size, then runs one conditional store
 * write.
 *
 * @see docs/contract.md §4.3 and §4.7
 */

import type { ValueEnds } from '@holdfast/json';
import { epochOfToken } from '../access/token-age.ts';
import type { Awaitable } from '../common/awaitable.ts';
import { playerSignedOut } from '../common/challenge.ts';
import { noProject, type Refusal } from '../common/refusal.ts';
import { quotaReached } from '../limits/quota-refusal.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ProjectKey } from '../storage/contract/management.ts';
import type { ApplicationRefused, ProposalWrite } from '../storage/contract/proposals.ts';
import type { Author, Expectation, NewPublicState, ReadOutcome, WriteOutcome } from '../storage/contract/public-states.ts';
import type { FoundRepeat, Repeat } from '../storage/contract/repeats.ts';
import type { Store } from '../storage/store.ts';
import type { Announcement, Announcements } from './changes/announcements.ts';
import { authorOf, type DocumentKey, ownerOf } from './document-owner.ts';
import type { Evaluation } from './evaluation/evaluate-body.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import type { Hearers } from './hearers.ts';
import { repeatedRecord, type SentRepeat, type SentWrite, sentRepeat } from './idempotency.ts';
import { conflict, expectation, isSatisfied, type Precondition } from './precondition.ts';
import { playerEnded } from './refusals.ts';
import type { ActiveSchema } from './validation/active-schema.ts';
import { checkedEvaluation, refusalOf } from './validation/checked-evaluation.ts';
import type { ActiveChecks, WriteChecks } from './validation/write-checks.ts';

/** A write as the client sent it. `By` is the author type of this kind of state. */
export interface StateWrite<By = Author> {
  readonly precondition: Precondition;
  readonly body: Uint8Array;
  /** Whether the writer is a player, to whom a schema's rules of change apply. Default: no. */
  readonly byPlayer?: boolean | undefined;
  /** The epoch of a player's token; undefined for other writers. Once that epoch's tokens have ended, the store refuses the write. */
  readonly epoch?: number | undefined;
  /** Stored with the version; null for a player. */
  readonly author: By | null;
  /** Whether the environment is protected, so that a comment is required. Default: no. */
  readonly isProtected?: boolean | undefined;
  /** Set if the client may repeat the write. */
  readonly repeat: SentRepeat | undefined;
  /** Set if the write is recorded in the audit trail. */
  readonly by?: ChangedBy | undefined;
  /** The proposal that the write applies or reverts. */
  readonly application?: AppliedProposal | undefined;
}

/** A proposal's write, and how it is refused if the store does not apply it. */
export interface AppliedProposal {
  readonly write: ProposalWrite;
  readonly refusalOf: (refused: ApplicationRefused) => Refusal;
}

/** Returns a request's write. With `Idempotency-Key` it may be repeated. */
export function stateWriteOf(
  method: SentWrite['method'],
  request: Omit<SentWrite, 'method' | 'body'> & {
    readonly bodyBytes: Uint8Array;
    readonly idempotencyKey: string | undefined;
    readonly isProtected?: boolean;
    readonly by?: () => ChangedBy;
  },
): StateWrite {
  const { principal, precondition, bodyBytes: body, idempotencyKey, isProtected = false } = request;
  const repeat =
    idempotencyKey === undefined ? undefined : sentRepeat(idempotencyKey, { principal, method, precondition, body });
  const by = isProtected ? request.by?.() : undefined;
  const byPlayer = principal.kind === 'end_user';
  const epoch = byPlayer ? epochOfToken(principal) : undefined;
  return { precondition, body, byPlayer, epoch, author: authorOf(principal), isProtected, repeat, by };
}

/** The result of a write: compact JSON text, its size in UTF-8, and the comment on the change. */
export interface WrittenState {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
  /** The UTF-8 bytes of a large document; undefined for a small one. */
  readonly stateUtf8: Uint8Array | undefined;
  readonly comment: string | null;
}

/** A record of either kind of state. */
interface StoredState {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
  readonly comment?: string | null;
  readonly ends?: ValueEnds | undefined;
}

/** The values of a write to store, and the record that it replaces, if it was read. */
export type NewState<Record, By> = Omit<NewPublicState, 'before' | 'author'> & {
  readonly before?: Record | undefined;
  readonly author: By | null;
  readonly epoch: number | undefined;
};

/** One kind of state: how its documents are read, written and watched. */
export interface StateKind<Key extends DocumentKey, Record extends StoredState, By> {
  read(key: Key): Awaitable<ReadOutcome<Record>>;
  /** Returns the current record or an earlier one if it is in memory. */
  recall?(key: Key): Record | undefined;
  write(key: Key, expected: Expectation, next: NewState<Record, By>): Promise<WriteOutcome>;
  /** Returns the document's name for idempotency keys. */
  repeatScope(key: Key, projectCreatedAt: number): string;
  readonly watchers: Announcements<Key>;
  /** The webhooks that may subscribe to writes. Default: none. */
  readonly hearers?: Hearers<Key> | undefined;
}

export interface StateWriterParts<Key extends DocumentKey, Record extends StoredState, By> {
  readonly store: Pick<Store, 'findProject' | 'findRepeat'>;
  readonly kind: StateKind<Key, Record, By>;
  readonly evaluator: Evaluator;
  /** The checks of this kind's documents. */
  readonly checks: WriteChecks<Key>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes documents of one kind of state. */
export class StateWriter<Key extends DocumentKey, Record extends StoredState, By = Author> {
  readonly #parts: StateWriterParts<Key, Record, By>;

  constructor(parts: StateWriterParts<Key, Record, By>) {
    this.#parts = parts;
  }

  /**
   * Replaces the document with the body's document. Refuses `validation_error` for the body or for a document that is too long,
   * `version_conflict`, `not_found` if the project does not exist, and `idempotency_key_reused`.
   */
  async replace(key: Key, write: StateWrite<By>): Promise<WrittenState> {
    const { evaluator, kind } = this.#parts;
    const { precondition, body, isProtected } = write;
    const repeat = write.repeat && (await this.#repeatOf(key, write.repeat));
    const finding = this.#checksOf(key, write);
    const held = finding instanceof Promise ? await finding : finding;
    const schema = held?.schema;
    const recalled = kind.recall?.(key);
    const before = recalled && isSatisfied(precondition, recalled.version) ? recalled : undefined;
    const currentText = before?.stateText;
    const request = { kind: 'replacement', body, requiresComment: isProtected, schema, currentText } as const;
    const evaluating = checkedEvaluation(this.#parts.checks, key, held, evaluator.evaluate(ownerOf(key), request));
    const evaluation = evaluating instanceof Promise ? await evaluating : evaluating;
    if (evaluation.kind === 'state') return await this.#store(key, { write, repeat, evaluation, schema, before });
    const known = repeat && (await this.#findRepeat(key, repeat));
    if (known !== undefined) return this.#repeated(key, known);
    const version = versionOf(await this.#readCurrent(key));
    if (evaluation.kind === 'conflict' || !isSatisfied(precondition, version)) throw conflict(precondition, version);
    throw refusalOf(evaluation, 'validation_error');
  }

  /**
   * Applies the body's operations to the document, or to `{}` if there is none. Refuses `validation_error`, the codes of JSON Patch,
   * `version_conflict`, `patch_state_too_large`, `not_found` if the project does not exist, and `idempotency_key_reused`.
   */
  async patch(key: Key, write: StateWrite<By>): Promise<WrittenState> {
    const { evaluator, checks } = this.#parts;
    const { precondition, body, isProtected: requiresComment } = write;
    const repeat = write.repeat && (await this.#repeatOf(key, write.repeat));
    const reading = this.#parts.kind.read(key);
    const record = recordOf(reading instanceof Promise ? await reading : reading, key);
    const version = versionOf(record);
    // Checked after the read: by then, a write that made the precondition fail is visible.
    const known = repeat && (await this.#findRepeat(key, repeat));
    const holds = known === undefined && isSatisfied(precondition, version);
    const current = holds ? record : null;
    const currentText = current?.stateText ?? null;
    const finding = this.#checksOf(key, write);
    const held = finding instanceof Promise ? await finding : finding;
    const schema = held?.schema;
    const fits = schema !== undefined && current !== null && checks.isKnownToFit(key, current.version, schema);
    const request = { kind: 'patch', body, requiresComment, currentText, isSatisfied: holds, schema, fits } as const;
    const evaluated = evaluator.evaluate(ownerOf(key), request, current?.ends);
    const evaluating = checkedEvaluation(checks, key, held, evaluated);
    const evaluation = evaluating instanceof Promise ? await evaluating : evaluating;
    if (known !== undefined) return this.#repeated(key, known);
    if (evaluation.kind === 'state')
      return await this.#store(key, { write, repeat, evaluation, schema, before: record ?? undefined });
    if (evaluation.kind === 'conflict') throw conflict(precondition, version);
    throw refusalOf(evaluation, 'patch_state_too_large');
  }

  /** The checks of a write; undefined for a project without any. Synchronous if they are cached. */
  #checksOf(key: Key, { byPlayer = false }: StateWrite<By>): Awaitable<ActiveChecks | undefined> {
    return this.#parts.checks.find(key, byPlayer);
  }

  async #store(key: Key, { write, repeat, evaluation, schema, before }: Evaluated<Record, By>): Promise<WrittenState> {
    const { kind, now } = this.#parts;
    const { precondition, author, by, epoch, application } = write;
    const expected = expectation(precondition);
    if (expected === undefined) {
      const known = repeat && (await this.#findRepeat(key, repeat));
      if (known !== undefined) return this.#repeated(key, known);
      throw conflict(precondition, versionOf(await this.#readCurrent(key)));
    }
    const { stateText, comment, edits, ends, reportedViolations } = evaluation;
    const stateUtf8 = stateText.length < bytesCharactersMin ? undefined : Buffer.from(stateText);
    const stateBytes = stateUtf8?.length ?? Buffer.byteLength(stateText, 'utf8');
    const written = { stateText, stateBytes, stateUtf8, comment };
    const hearing = kind.hearers?.idsOf(key, expected.kind === 'absent');
    const hearers = hearing instanceof Promise ? await hearing : hearing;
    const next = {
      ...written,
      before,
      edits,
      ends,
      writtenAt: now(),
      author,
      epoch,
      repeat,
      by,
      application: application?.write,
      hearers,
    };
    let outcome: WriteOutcome;
    try {
      outcome = await kind.write(key, expected, next);
    } catch (error) {
      this.#announce(key, undefined);
      throw error;
    }
    switch (outcome.kind) {
      case 'written':
        if (schema !== undefined) this.#parts.checks.written(key, outcome.version, schema, reportedViolations);
        if (hearers !== undefined) kind.hearers?.onWritten();
        this.#announce(key, { version: outcome.version, stateText, isCreation: expected.kind === 'absent' });
        return { version: outcome.version, ...written };
      case 'conflict':
        throw conflict(precondition, outcome.currentVersion);
      case 'no_project':
        throw noProject(key);
      case 'quota':
        throw quotaReached(outcome);
      case 'repeated':
        return this.#repeated(key, outcome);
      case 'ended':
        throw playerEnded();
      case 'token_ended':
        throw playerSignedOut();
      case 'not_applied':
        throw application?.refusalOf(outcome) ?? new TypeError('a write without a proposal was not applied');
    }
  }

  /** `written` is undefined if the outcome of the write is unknown. */
  #announce(key: Key, written: Announcement | undefined): void {
    const { watchers } = this.#parts.kind;
    if (watchers.watched.size > 0) watchers.announce(key, written);
  }

  async #readCurrent(key: Key): Promise<Record | null> {
    return recordOf(await this.#parts.kind.read(key), key);
  }

  /** Adds the document to the record of a write with a key. Refuses `not_found` if the project does not exist. */
  async #repeatOf(key: Key, sent: SentRepeat): Promise<Repeat> {
    const { store, kind } = this.#parts;
    const project = await store.findProject(key);
    if (project === undefined) throw noProject(key);
    return { ...sent, scope: kind.repeatScope(key, project.createdAt) };
  }

  /** Finds an earlier execution of this write. */
  #findRepeat(key: Key, repeat: Repeat): Awaitable<FoundRepeat | undefined> {
    return this.#parts.store.findRepeat(key.accountId, repeat);
  }

  /** The result of a repeated write. Refuses like `repeatedRecord`. */
  async #repeated(key: Key, found: FoundRepeat): Promise<WrittenState> {
    const record = await repeatedRecord(found, () => this.#readCurrent(key));
    const { version, stateText, stateBytes, comment = null } = record;
    return { version, stateText, stateBytes, stateUtf8: undefined, comment };
  }
}

/** A write whose body has been evaluated to a state. */
interface Evaluated<Record, By> {
  readonly write: StateWrite<By>;
  readonly repeat: Repeat | undefined;
  readonly evaluation: Extract<Evaluation, { kind: 'state' }>;
  readonly schema: ActiveSchema | undefined;
  /** The document before the write, if it was read. */
  readonly before?: Record | undefined;
}

/** The bytes of shorter text are not worth keeping until they are sent. */
const bytesCharactersMin = 32_768;

/** The record that a read found, or null if there is none. Refuses `not_found` if the project does not exist. */
export function recordOf<Record>(outcome: ReadOutcome<Record>, key: ProjectKey): Record | null {
  switch (outcome.kind) {
    case 'present':
      return outcome.record;
    case 'absent':
      return null;
    case 'no_project':
      throw noProject(key);
  }
}

const versionOf = (record: { readonly version: number } | null): number | null => record?.version ?? null;
