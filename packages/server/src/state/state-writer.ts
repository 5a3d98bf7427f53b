/**
 * The only way to write public state and user state: checks repeat, body, precondition, patch and size, then runs one conditional store
 * write.
 *
 * @see docs/contract.md §4.3 and §4.7
 */

import type { ValueEnds } from '@holdfast/json';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { playerSignedOut } from '../common/requests/challenge.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { quotaReached } from '../limits/quota-refusal.ts';
import type { Author, Expectation, NewPublicState, ReadOutcome, WriteOutcome } from '../storage/contract/public-states.ts';
import type { FoundRepeat, Repeat } from '../storage/contract/repeats.ts';
import type { Store } from '../storage/store.ts';
import type { Announcement, Announcements } from './changes/announcements.ts';
import { type DocumentKey, ownerOf } from './documents/document-owner.ts';
import { conflict, expectation, isSatisfied } from './documents/precondition.ts';
import { recordOf } from './documents/reads.ts';
import type { ActiveSchema } from './evaluation/active-schema.ts';
import type { EvaluationRequest } from './evaluation/evaluate-body.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { repeatedRecord, type SentRepeat } from './idempotency.ts';
import type { StateWrite } from './state-write.ts';
import type { Subscribers } from './subscribers.ts';
import { type CheckedEvaluation, checkedEvaluation, refusalOf } from './validation/checked-evaluation.ts';
import type { WriteChecks } from './validation/write-checks.ts';

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
type NewState<Stored, By> = Omit<NewPublicState, 'before' | 'author'> & {
  readonly before?: Stored | undefined;
  readonly author: By | null;
  readonly epoch: number | undefined;
};

/** One kind of state: how its documents are read, written and watched. */
export interface StateKind<Key extends DocumentKey, Stored extends StoredState, By> {
  read(key: Key): Awaitable<ReadOutcome<Stored>>;
  /** Returns the current record or an earlier one if it is in memory. */
  recall?(key: Key): Stored | undefined;
  write(key: Key, expected: Expectation, next: NewState<Stored, By>): Promise<WriteOutcome>;
  /** Returns the document's name for idempotency keys. */
  repeatScope(key: Key, projectCreatedAt: number): string;
  readonly watchers: Announcements<Key>;
  /** The webhooks that may subscribe to writes. Default: none. */
  readonly subscribers?: Subscribers<Key> | undefined;
}

export interface StateWriterParts<Key extends DocumentKey, Stored extends StoredState, By> {
  readonly store: Pick<Store, 'findProject' | 'findRepeat'>;
  readonly kind: StateKind<Key, Stored, By>;
  readonly evaluator: Evaluator;
  /** The checks of this kind's documents. */
  readonly checks: WriteChecks<Key>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes documents of one kind of state. */
export class StateWriter<Key extends DocumentKey, Stored extends StoredState, By = Author> {
  readonly #parts: StateWriterParts<Key, Stored, By>;

  constructor(parts: StateWriterParts<Key, Stored, By>) {
    this.#parts = parts;
  }

  /**
   * Replaces the document with the body's document. Refuses `validation_error` for the body or for a document that is too long,
   * `version_conflict`, `not_found` if the project does not exist, and `idempotency_key_reused`.
   */
  replace(key: Key, write: StateWrite<By>): Promise<WrittenState> {
    return this.#evaluateAndStore(key, write, 'validation_error', (schema) => {
      const recalled = this.#parts.kind.recall?.(key);
      const before = recalled && isSatisfied(write.precondition, recalled.version) ? recalled : undefined;
      const { body, isProtected: requiresComment } = write;
      const currentText = before?.stateText;
      return { request: { kind: 'replacement', body, requiresComment, schema, currentText }, before, known: undefined };
    });
  }

  /**
   * Applies the body's operations to the document, or to `{}` if there is none. Refuses `validation_error`, the codes of JSON Patch,
   * `version_conflict`, `patch_state_too_large`, `not_found` if the project does not exist, and `idempotency_key_reused`.
   */
  patch(key: Key, write: StateWrite<By>): Promise<WrittenState> {
    return this.#evaluateAndStore(key, write, 'patch_state_too_large', (schema, repeat) =>
      mapAwaitable(this.#parts.kind.read(key), (outcome) => {
        const before = recordOf(outcome, key) ?? undefined;
        // Looked for after the read: by then, a write that made the precondition fail is visible.
        return mapAwaitable(repeat && this.#findRepeat(key, repeat), (known) => {
          const holds = known === undefined && isSatisfied(write.precondition, before?.version ?? null);
          const current = holds ? before : undefined;
          const fits =
            schema !== undefined && current !== undefined && this.#parts.checks.isKnownToFit(key, current.version, schema);
          const { body, isProtected: requiresComment } = write;
          const currentText = current?.stateText ?? null;
          const request = { kind: 'patch', body, requiresComment, currentText, isSatisfied: holds, schema, fits } as const;
          return { request, before, ends: current?.ends, known };
        });
      }),
    );
  }

  /**
   * Evaluates the body as a method prepares it, and stores the result. A body is refused for its own faults before anything else. A
   * repeated write has its first outcome. `code` refuses a document that is too long.
   */
  async #evaluateAndStore(
    key: Key,
    write: StateWrite<By>,
    code: TooLargeCode,
    prepare: Prepare<Stored>,
  ): Promise<WrittenState> {
    const repeat = write.repeat && (await this.#repeatOf(key, write.repeat));
    const evaluating = this.#readAndEvaluate(key, write, repeat, prepare);
    const evaluated = evaluating instanceof Promise ? await evaluating : evaluating;
    const { evaluation, known } = evaluated;
    const expected = expectation(write.precondition);
    return evaluation.kind === 'state' && known === undefined && expected !== undefined
      ? await this.#store(key, expected, evaluation, evaluated)
      : await this.#repeatOrRefuse(key, evaluated, code);
  }

  /** Finds the checks of the document, reads what the method needs, and evaluates the body. */
  #readAndEvaluate(
    key: Key,
    write: StateWrite<By>,
    repeat: Repeat | undefined,
    prepare: Prepare<Stored>,
  ): Awaitable<Evaluated<Stored, By>> {
    const { evaluator, checks } = this.#parts;
    return mapAwaitable(checks.find(key, write.byPlayer ?? false), (held) =>
      mapAwaitable(prepare(held?.schema, repeat), ({ request, before, ends, known }) =>
        mapAwaitable(
          checkedEvaluation(checks, key, held, evaluator.evaluate(ownerOf(key), request, ends)),
          (evaluation) => ({ write, repeat, evaluation, schema: held?.schema, before, known }),
        ),
      ),
    );
  }

  /**
   * Returns the outcome of the first execution of a repeated write. Otherwise refuses `version_conflict` unless the precondition holds, and
   * then the document, with `code` if it is too long.
   */
  async #repeatOrRefuse(
    key: Key,
    { write, repeat, evaluation, before, known }: Evaluated<Stored, By>,
    code: TooLargeCode,
  ): Promise<WrittenState> {
    const { precondition } = write;
    const found = known ?? (repeat && (await this.#findRepeat(key, repeat)));
    if (found !== undefined) return this.#repeated(key, found);
    const version = (before ?? (await this.#readCurrent(key)))?.version ?? null;
    const holds = expectation(precondition) !== undefined && isSatisfied(precondition, version);
    if (!holds || evaluation.kind === 'state' || evaluation.kind === 'conflict') throw conflict(precondition, version);
    throw refusalOf(evaluation, code);
  }

  async #store(
    key: Key,
    expected: Expectation,
    evaluation: Extract<CheckedEvaluation, { kind: 'state' }>,
    { write, repeat, schema, before }: Evaluated<Stored, By>,
  ): Promise<WrittenState> {
    const { kind, now } = this.#parts;
    const { precondition, author, by, epoch, application } = write;
    const { stateText, comment, edits, ends, reportedViolations } = evaluation;
    const stateUtf8 = stateText.length < bytesCharactersMin ? undefined : Buffer.from(stateText);
    const stateBytes = stateUtf8?.length ?? Buffer.byteLength(stateText, 'utf8');
    const written = { stateText, stateBytes, stateUtf8, comment };
    const looking = kind.subscribers?.idsOf(key, expected.kind === 'absent');
    const subscribers = looking instanceof Promise ? await looking : looking;
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
      subscribers,
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
        if (subscribers !== undefined) kind.subscribers?.onWritten();
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

  async #readCurrent(key: Key): Promise<Stored | null> {
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

/** What a method evaluates, and what it has read for that. */
interface Prepared<Stored> {
  readonly request: EvaluationRequest;
  /** The document before the write, if it was read. */
  readonly before: Stored | undefined;
  /** The known ends of values in the text that a patch changes. */
  readonly ends?: ValueEnds | undefined;
  /** An earlier execution, if it was looked for. */
  readonly known: FoundRepeat | undefined;
}

type Prepare<Stored> = (schema: ActiveSchema | undefined, repeat: Repeat | undefined) => Awaitable<Prepared<Stored>>;

type TooLargeCode = Parameters<typeof refusalOf>[1];

/** A write, and what its body was evaluated to. */
interface Evaluated<Stored, By> extends Pick<Prepared<Stored>, 'before' | 'known'> {
  readonly write: StateWrite<By>;
  readonly repeat: Repeat | undefined;
  readonly evaluation: CheckedEvaluation;
  readonly schema: ActiveSchema | undefined;
}

/** The refusal of a write by a player who was merged into another player. @see docs/contract.md §7.16 */
function playerEnded(): Refusal {
  return new Refusal(
    'not_found',
    'this player was merged into another one: nothing was written. Sign in again to continue as that player',
  );
}

/** The bytes of shorter text are not worth keeping until they are sent. */
const bytesCharactersMin = 32_768;
