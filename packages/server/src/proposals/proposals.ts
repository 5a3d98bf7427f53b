/**
 * Proposals: changes to public state for others to see, approve and apply. A proposal never overwrites: it is merged into the current
 * document, and refused where both changed the same value.
 *
 * @see docs/contract.md §5.7
 */

import type { ProposalState } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import type { DeveloperPrincipal } from '../access/principal.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import { quotaReached } from '../limits/quota-refusal.ts';
import { ownerOf } from '../state/documents/document-owner.ts';
import { conflict, expectation, type Precondition } from '../state/documents/precondition.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { SentProposal } from '../state/evaluation/merge-request.ts';
import { hashOfRequest, repeatKeyOf } from '../state/idempotency.ts';
import type { PublicStates } from '../state/public-state.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { Page, PageRequest } from '../storage/contract/pages.ts';
import type {
  ListedProposal,
  NewProposal,
  Proposal,
  ProposalKey,
  ProposalTimes,
  ProposedChange,
} from '../storage/contract/proposals.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { Store } from '../storage/store.ts';
import { changerOf, personOf } from './changers.ts';
import { type MergedView, Merger } from './merged.ts';
import { baseGone, limits, refusedEdit, refusedProposal, refusedTimes, tooManyOpen } from './refusals.ts';
import { namesTime, revertTimeWith, timesWith } from './times.ts';

/** How long ended proposals are kept. */
const keptMilliseconds = 90 * dayMilliseconds;

export interface ProposalParts {
  readonly store: Pick<
    Store,
    | 'createProposal'
    | 'findRepeatedProposal'
    | 'findProposal'
    | 'listProposals'
    | 'editProposal'
    | 'approveProposal'
    | 'retractApproval'
    | 'withdrawProposal'
    | 'readPublicStateVersion'
    | 'isUpgradeFinished'
  >;
  readonly states: PublicStates;
  readonly evaluator: Pick<Evaluator, 'merge'>;
}

/** Who asks for a step. */
export interface Asking {
  readonly principal: DeveloperPrincipal;
  readonly by: ChangedBy;
}

/** A proposal, with what applying it would do while it is open. */
export interface ShownProposal {
  readonly proposal: Proposal;
  readonly merged: MergedView | null;
}

export class Proposals {
  readonly #parts: ProposalParts;
  readonly #merger: Merger;

  constructor(parts: ProposalParts) {
    this.#parts = parts;
    this.#merger = new Merger(parts);
  }

  /**
   * Stores the body's proposal, or finds the one that the same request created. Refuses `validation_error`, the codes of JSON Patch,
   * `base_gone`, `limit_reached`, `idempotency_key_reused`, `upgrade_unfinished`, and quotas.
   */
  async create(
    key: PublicStateKey,
    { principal, by }: Asking,
    { body, idempotencyKey }: { readonly body: Uint8Array; readonly idempotencyKey: string | undefined },
  ): Promise<ShownProposal & { readonly isNew: boolean }> {
    const { store } = this.#parts;
    await requireFinishedUpgrade(store, 'proposals');
    const sent = await this.#read(key, body);
    const change = wholeChange(sent);
    const repeat =
      idempotencyKey === undefined
        ? undefined
        : { key: repeatKeyOf(idempotencyKey, principal), request: hashOfRequest(JSON.stringify(key), body) };
    const known = repeat && (await store.findRepeatedProposal(key.accountId, repeat));
    if (known !== undefined) return this.#repeated(key, known);
    const times = await timesWith(store, sent, noTimes, by.at);
    await this.#requireValid(key, change);
    const proposalId = `prop_${randomIdentifier()}`;
    const next: NewProposal = { ...change, ...times, ...changerOf(principal), proposalId, repeat };
    const outcome = await store.createProposal(by, key, next, limits);
    switch (outcome.kind) {
      case 'created':
        return { ...(await this.read({ ...key, proposalId })), isNew: true };
      case 'known':
        return this.#repeated(key, outcome);
      case 'too_many':
        throw tooManyOpen(outcome.of);
      case 'no_project':
        throw noProject(key);
      case 'quota':
        throw quotaReached(outcome);
      default:
        throw refusedTimes(outcome);
    }
  }

  /** Refuses `not_found`. */
  async read(key: ProposalKey): Promise<ShownProposal> {
    const proposal = await this.find(key);
    const { state, opsText } = proposal;
    const merged = state === 'open' && opsText !== null ? await this.#merger.view(key, { ...proposal, opsText }) : null;
    return { proposal, merged };
  }

  /** The stored proposal. Refuses `not_found`. */
  async find(key: ProposalKey): Promise<Proposal> {
    const proposal = await this.#parts.store.findProposal(key);
    if (proposal === undefined) throw refusedProposal({ kind: 'unknown' });
    return proposal;
  }

  /** A page of an environment's proposals, newest first. */
  async list(key: PublicStateKey, state: ProposalState | null, page: PageRequest): Promise<Page<ListedProposal>> {
    return this.#parts.store.listProposals(key, state, page);
  }

  /** Changes what the body names. Refuses like `create`, and `not_found`, `forbidden`, `proposal_ended` and `version_conflict`. */
  async edit(
    key: ProposalKey,
    { principal, by }: Asking,
    { body, precondition }: { readonly body: Uint8Array; readonly precondition: Precondition },
  ): Promise<ShownProposal> {
    const { store } = this.#parts;
    await requireFinishedUpgrade(store, 'proposals');
    if (precondition.kind === 'absent')
      throw new Refusal('validation_error', 'editing a proposal needs the header If-Match: "<revision>"');
    const sent = await this.#read(key, body);
    const setsTimes = namesTime(sent);
    if (sent.baseVersion === undefined && sent.opsText === undefined && sent.comment === undefined && !setsTimes)
      throw new Refusal('validation_error', 'the body must have baseVersion, ops, comment, applyAt or revertAt');
    const before = await this.find(key);
    const { state, opsText } = before;
    if ((state !== 'open' && state !== 'applied') || opsText === null) throw refusedProposal({ kind: 'ended', state });
    const expected = expectation(precondition);
    if (expected?.kind !== 'version' || expected.version !== before.revision) throw conflict(precondition, before.revision);
    const next = await this.#nextOf(key, { ...before, opsText }, sent, by.at);
    const changer = changerOf(principal);
    const outcome = await store.editProposal(by, key, before.revision, changer, { ...next, setsTimes });
    if (outcome.kind !== 'edited') throw refusedEdit(outcome);
    return this.read(key);
  }

  /** The change that a body makes of a proposal. Refuses what cannot be applied, or reverted. */
  async #nextOf(
    key: ProposalKey,
    before: Proposal & { readonly opsText: string },
    sent: SentProposal,
    now: number,
  ): Promise<ProposedChange> {
    const { store } = this.#parts;
    const { baseVersion, opsText, comment } = before;
    if (before.state === 'applied') {
      const times = await revertTimeWith(store, sent, before, now);
      if (times.revertAt !== null) await this.#requireSides(key, before);
      return { baseVersion, opsText, comment, ...times };
    }
    const next = {
      baseVersion: sent.baseVersion === undefined ? baseVersion : sent.baseVersion,
      opsText: sent.opsText ?? opsText,
      comment: sent.comment === undefined ? comment : sent.comment,
      ...(await timesWith(store, sent, before, now)),
    };
    if (next.baseVersion !== baseVersion || next.opsText !== opsText) await this.#requireValid(key, next);
    return next;
  }

  /** Refuses `base_gone` unless both versions that a revert compares are kept. */
  async #requireSides(key: ProposalKey, { appliedFrom, appliedVersion }: Proposal): Promise<void> {
    const isKept = async (version: number | null) =>
      version === 0 ||
      (version !== null && (await this.#parts.store.readPublicStateVersion(key, version)).kind === 'present');
    if ((await isKept(appliedFrom)) && (await isKept(appliedVersion))) return;
    throw new Refusal('base_gone', 'the versions before and after it are no longer kept: propose the inverse instead');
  }

  /**
   * Approves a revision, seen with a version of the document. Refuses `forbidden` except for people who may write there and have no
   * part in it, `version_conflict` if either has changed, `not_found`, `proposal_ended` and `limit_reached`.
   */
  async approve(
    key: ProposalKey,
    { principal, by }: Asking,
    { revision, version, comment }: { revision: number; version: number | null; comment: string | null },
  ): Promise<ShownProposal> {
    const { store, states } = this.#parts;
    await requireFinishedUpgrade(store, 'proposals');
    const approval = { memberId: personOf(principal), at: by.at, comment };
    const { author } = changerOf(principal);
    const current = (await states.read(key))?.version ?? null;
    const proposal = await this.find(key);
    if (proposal.state !== 'open') throw refusedProposal({ kind: 'ended', state: proposal.state });
    if (proposal.revision === revision && current !== version) {
      const message = `${current === null ? 'there is no document' : `the document is at version ${current}`} now: read the proposal again`;
      throw new Refusal('version_conflict', message, { details: { currentVersion: current } });
    }
    const outcome = await store.approveProposal(by, key, revision, { ...approval, author });
    switch (outcome.kind) {
      case 'approved':
        return this.read(key);
      case 'involved':
        throw new Refusal(
          'forbidden',
          'you, or a service account of yours, made or edited this proposal: ask somebody else to approve it',
        );
      case 'too_many':
        throw new Refusal('limit_reached', 'the proposal has enough approvals');
      default:
        throw refusedProposal(outcome);
    }
  }

  /** Takes the caller's approval back. Refuses `forbidden` for all but people, `not_found` and `proposal_ended`. */
  async retract(key: ProposalKey, { principal, by }: Asking): Promise<void> {
    const { store } = this.#parts;
    await requireFinishedUpgrade(store, 'proposals');
    const outcome = await store.retractApproval(by, key, personOf(principal));
    if (outcome.kind !== 'done') throw refusedProposal(outcome);
  }

  /** Ends the proposal. Refuses `forbidden`, `not_found` and `proposal_ended`. */
  async withdraw(key: ProposalKey, { principal, by }: Asking): Promise<void> {
    const { store } = this.#parts;
    await requireFinishedUpgrade(store, 'proposals');
    const outcome = await store.withdrawProposal(by, key, changerOf(principal));
    if (outcome.kind !== 'done') throw refusedProposal(outcome);
  }

  async #repeated(
    key: PublicStateKey,
    { proposalId, isSame }: { readonly proposalId: string; readonly isSame: boolean },
  ): Promise<ShownProposal & { readonly isNew: boolean }> {
    if (isSame) return { ...(await this.read({ ...key, proposalId })), isNew: false };
    throw new Refusal(
      'idempotency_key_reused',
      'this Idempotency-Key was sent with another body; use a new key for another proposal',
    );
  }

  async #read(key: PublicStateKey, body: Uint8Array): Promise<SentProposal> {
    const sent = await this.#parts.evaluator.merge(ownerOf(key), { kind: 'proposal_body', body });
    if (sent.kind !== 'proposal') throw new TypeError(`a thread replied ${sent.kind}`);
    return sent;
  }

  /** Refuses a change that cannot be applied to its base. */
  async #requireValid(
    key: PublicStateKey,
    { baseVersion, opsText }: Pick<ProposedChange, 'baseVersion' | 'opsText'>,
  ): Promise<void> {
    const { states } = this.#parts;
    const baseText = await this.#baseText(key, baseVersion);
    await states.tryPatch(key, Buffer.from(`{"ops":${opsText}}`), baseText);
  }

  async #baseText(key: PublicStateKey, baseVersion: number | null): Promise<string | null> {
    const { states } = this.#parts;
    const current = await states.read(key);
    if (baseVersion === (current?.version ?? null)) return current?.stateText ?? null;
    if (baseVersion === null) throw baseGone(null);
    try {
      return (await states.readVersion(key, baseVersion)).stateText;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') throw baseGone(baseVersion);
      throw error;
    }
  }
}

const noTimes = { applyAt: null, revertAt: null };

function wholeChange({ baseVersion, opsText, comment = null }: SentProposal): Omit<ProposedChange, keyof ProposalTimes> {
  if (baseVersion === undefined) throw new Refusal('validation_error', 'body: "baseVersion" is missing');
  if (opsText === undefined) throw new Refusal('patch_invalid', 'cannot read the patch: "ops" is missing');
  return { baseVersion, opsText, comment };
}

/** Deletes some of the proposals that ended more than 90 days before `now`. Returns the number deleted. */
export const forgetProposals = (store: Pick<Store, 'sweepProposals'>, now: number): Promise<number> =>
  store.sweepProposals(now - keptMilliseconds);
