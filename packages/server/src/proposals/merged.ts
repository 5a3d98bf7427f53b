/** What applying a proposal would do now. */

import { ownerOf } from '../state/documents/document-owner.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { Merged } from '../state/evaluation/merge-request.ts';
import type { PublicViolation } from '../state/evaluation/validation-request.ts';
import type { PublicStates } from '../state/public-state.ts';
import type { ProposedChange } from '../storage/contract/proposals.ts';
import type { PublicState, PublicStateKey } from '../storage/contract/public-states.ts';
import type { Store } from '../storage/store.ts';

/** The document of an environment without one. */
const emptyText = '{}';

/** The part of a proposal that is merged. */
type MergedChange = Pick<ProposedChange, 'baseVersion' | 'opsText'>;

/** A proposal merged into the current document. */
export interface MergeNow {
  readonly current: PublicState | null;
  /** Undefined if the version on which the proposal is based is gone. */
  readonly merged: Merged | undefined;
}

/** The same as clients see it. */
export interface MergedView {
  readonly version: number | null;
  readonly opsText: string;
  readonly conflicts: readonly string[];
  readonly violations: readonly PublicViolation[];
}

export interface MergerParts {
  readonly store: Pick<Store, 'readPublicStateVersion'>;
  readonly states: PublicStates;
  readonly evaluator: Pick<Evaluator, 'merge'>;
}

/** Merges proposals. */
export class Merger {
  readonly #parts: MergerParts;

  constructor(parts: MergerParts) {
    this.#parts = parts;
  }

  /** Merges a change into the current document. Refuses `not_found` if the project does not exist, and `service_unavailable`. */
  async merge(key: PublicStateKey, { baseVersion, opsText }: MergedChange): Promise<MergeNow> {
    const current = await this.#parts.states.read(key);
    return this.#merge(key, current, await this.#textOf(key, baseVersion, current), { opsText });
  }

  /** Merges the inverse of the change from one version to another into the current document. Refuses like `merge`. */
  async mergeBack(key: PublicStateKey, from: number | null, to: number | null): Promise<MergeNow> {
    const current = await this.#parts.states.read(key);
    const [stateText, baseText] = [await this.#textOf(key, from, current), await this.#textOf(key, to, current)];
    return this.#merge(key, current, baseText, stateText === undefined ? undefined : { stateText });
  }

  async #merge(
    key: PublicStateKey,
    current: PublicState | null,
    baseText: string | undefined,
    proposed: { readonly opsText: string } | { readonly stateText: string } | undefined,
  ): Promise<MergeNow> {
    if (baseText === undefined || proposed === undefined) return { current, merged: undefined };
    const request = { kind: 'merge', baseText, currentText: current?.stateText ?? emptyText, proposed } as const;
    const reply = await this.#parts.evaluator.merge(ownerOf(key), request);
    return { current, merged: reply.kind === 'merged' ? reply : undefined };
  }

  /** Returns what clients see of a merge. Without its base, everything conflicts. */
  async view(key: PublicStateKey, change: MergedChange): Promise<MergedView> {
    const { current, merged } = await this.merge(key, change);
    const version = current?.version ?? null;
    if (merged === undefined) return { version, opsText: '[]', conflicts: [''], violations: [] };
    const { opsText, conflicts, stateText } = merged;
    const violations = conflicts.length > 0 ? [] : await this.#parts.states.violationsOf(key, stateText);
    return { version, opsText, conflicts, violations };
  }

  /** The text of a version, null being before the first; undefined if it is not kept. */
  async #textOf(key: PublicStateKey, version: number | null, current: PublicState | null): Promise<string | undefined> {
    if (version === null) return emptyText;
    if (version === current?.version) return current.stateText;
    const found = await this.#parts.store.readPublicStateVersion(key, version);
    return found.kind === 'present' ? found.record.stateText : undefined;
  }
}
