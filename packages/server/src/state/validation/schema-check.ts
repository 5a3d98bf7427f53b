/** Validates documents, patches and schemas without writing, and stored documents in slices. @see docs/contract.md §5.6 */

import type { FlagFindingBody } from '@holdfast/contract';
import { readPlayerId } from '../../common/ids/player-id.ts';
import { noProject, Refusal } from '../../common/requests/refusal.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';
import type { Warning } from '../../schemas/new-schema.ts';
import type { Violation } from '../../schemas/run.ts';
import type { PagePosition } from '../../storage/contract/pages.ts';
import type { ReadOutcome } from '../../storage/contract/public-states.ts';
import type { SchemaKey } from '../../storage/contract/schemas.ts';
import type { Store } from '../../storage/store.ts';
import { ownerOf } from '../documents/document-owner.ts';
import { recordOf } from '../documents/reads.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import type { PublicViolation, SentCheck } from '../evaluation/validation-request.ts';
import type { CheckFlags } from './flag-check.ts';
import { publicViolation, tooLarge } from './refusals.ts';
import type { Schemas } from './schemas.ts';
import { countViolations, type ReportItem } from './violation-reports.ts';

export interface CheckParts {
  readonly store: Pick<Store, 'readPublicState' | 'readUserState' | 'listUserStates'>;
  readonly evaluator: Evaluator;
  readonly schemas: Schemas;
  readonly checkFlags: CheckFlags;
}

/** The result of a check. */
export interface CheckResult {
  readonly violations: readonly PublicViolation[];
  /** Warnings for the schema's author. */
  readonly warnings: readonly Warning[];
  readonly flags: readonly FlagFindingBody[];
  /** The validated document; undefined for a schema. */
  readonly stateText: string | undefined;
  readonly stored: ScannedSlice | undefined;
}

/** The violations in a slice of the stored documents. */
export interface ScannedSlice {
  readonly checked: number;
  readonly failing: number;
  readonly samples: readonly ReportItem[];
  readonly next: PagePosition | null;
}

/** Converts a cursor to a position. Cursors belong to the transport. */
export type ReadCursor = (cursor: string) => PagePosition;

/** Documents per thread request, and their bytes: some milliseconds of work. */
const sliceItemsMax = 200;
const sliceBytesMax = 262_144;
/** Documents validated by one request, and the milliseconds after which it stops. */
const scannedMax = 10_000;
const scanMs = 1_000;
const samplesMax = 5;
const candidatesMax = 200;

export class SchemaCheck {
  readonly #parts: CheckParts;
  /** Accounts with a scan under way. */
  readonly #scanning = new Set<string>();

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  /**
   * Runs the check in the body. Refuses `validation_error` for the body, the codes of JSON Patch for `ops`, `limit_reached` for a
   * concurrent scan, and `not_found` if the project does not exist.
   */
  async check(key: SchemaKey, body: Uint8Array, readCursor: ReadCursor): Promise<CheckResult> {
    const owner = ownerOf(key);
    const sent = await this.#parts.evaluator.validate(owner, { kind: 'check_body', body });
    if (sent.kind !== 'check') throw new TypeError(`a thread replied ${sent.kind}`);
    return sent.asks === 'schema'
      ? this.#checkSchema(key, sent, owner, readCursor)
      : this.#checkState(key, sent, body, owner);
  }

  async #checkSchema(key: SchemaKey, sent: SentCheck, owner: Owner, readCursor: ReadCursor): Promise<CheckResult> {
    const { schemaText, violations, warnings, scans, cursor } = sent;
    if (schemaText === null || !scans) return { violations, warnings, flags: [], stateText: undefined, stored: undefined };
    if (this.#scanning.has(key.accountId)) {
      throw new Refusal(
        'limit_reached',
        'the account has a scan under way already; send this request again when it is done',
      );
    }
    this.#scanning.add(key.accountId);
    try {
      const stored = await this.#scan(key, schemaText, owner, cursor === null ? null : readCursor(cursor));
      return { violations, warnings, flags: [], stateText: undefined, stored };
    } finally {
      this.#scanning.delete(key.accountId);
    }
  }

  async #checkState(key: SchemaKey, sent: SentCheck, body: Uint8Array, owner: Owner): Promise<CheckResult> {
    const { evaluator, schemas } = this.#parts;
    const current = sent.asks === 'ops' ? await this.#currentText(key, sent) : null;
    const request =
      sent.asks === 'ops'
        ? ({ kind: 'patch', body, currentText: current, isSatisfied: true } as const)
        : ({ kind: 'replacement', body } as const);
    const evaluation = await evaluator.evaluate(owner, request);
    if (evaluation.kind === 'too_large') {
      throw tooLarge(sent.asks === 'ops' ? 'patch_state_too_large' : 'validation_error', evaluation.characters);
    }
    if (evaluation.kind !== 'state') throw new TypeError(`an evaluation without a condition gave ${evaluation.kind}`);
    const { stateText } = evaluation;
    const schema = await schemas.read(key);
    const byPlayer = sent.asks === 'ops' && key.kind === 'user-state';
    const document = byPlayer ? { text: stateText, beforeText: current } : { text: stateText };
    const [violations = []] = schema === null ? [] : await this.#validate(owner, schema.schemaText, [document]);
    // Only public state has flags.
    const flags = key.kind === 'public-state' ? await this.#parts.checkFlags(stateText, owner) : [];
    return { violations: violations.map(publicViolation), warnings: [], flags, stateText, stored: undefined };
  }

  /** The document that the operations change; null if there is none. */
  async #currentText(key: SchemaKey, { playerId: named }: SentCheck): Promise<string | null> {
    const { store } = this.#parts;
    if (key.kind === 'public-state') return textOf(await store.readPublicState(key), key);
    if (named === undefined)
      throw new Refusal('validation_error', 'body: "endUserId" is missing: it names the player to whose save "ops" apply');
    const playerId = readPlayerId(named);
    if (playerId === undefined) throw new Refusal('validation_error', 'body: "endUserId" is not a valid end-user id');
    return textOf(await store.readUserState({ ...key, playerId }), key);
  }

  async #scan(key: SchemaKey, schemaText: string, owner: Owner, from: PagePosition | null): Promise<ScannedSlice> {
    const places = new Map<string, ReportItem>();
    let [checked, failing] = [0, 0];
    let after = from;
    const begun = performance.now();
    for (;;) {
      const { texts, next } = await this.#slice(key, after);
      const verdicts = await this.#validate(
        owner,
        schemaText,
        texts.map((text) => ({ text })),
      );
      checked += verdicts.length;
      for (const violations of verdicts) {
        if (violations.length > 0) failing++;
        countViolations(places, violations, candidatesMax);
      }
      after = next;
      if (next === null || checked >= scannedMax || performance.now() - begun > scanMs) break;
    }
    const samples = [...places.values()].sort((a, b) => b.count - a.count).slice(0, samplesMax);
    return { checked, failing, samples, next: after };
  }

  async #slice(key: SchemaKey, after: PagePosition | null): Promise<{ texts: string[]; next: PagePosition | null }> {
    const { store } = this.#parts;
    if (key.kind === 'public-state') {
      const text = textOf(await store.readPublicState(key), key);
      return { texts: text === null ? [] : [text], next: null };
    }
    const outcome = await store.listUserStates(key, { after, itemsMax: sliceItemsMax, bytesMax: sliceBytesMax });
    if (outcome.kind === 'no_project') throw noProject(key);
    return { texts: outcome.page.items.map(({ stateText }) => stateText), next: outcome.page.next };
  }

  async #validate(
    owner: Owner,
    schemaText: string,
    documents: readonly { readonly text: string; readonly beforeText?: string | null }[],
  ): Promise<readonly (readonly Violation[])[]> {
    const reply = await this.#parts.evaluator.validate(owner, { kind: 'validate', schemaText, documents });
    if (reply.kind !== 'validated') throw new TypeError(`a thread replied ${reply.kind}`);
    return reply.verdicts;
  }
}

const textOf = (outcome: ReadOutcome<{ readonly stateText: string }>, key: SchemaKey): string | null =>
  recordOf(outcome, key)?.stateText ?? null;
