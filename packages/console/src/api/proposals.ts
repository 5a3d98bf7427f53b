/** Proposals: changes to public state that others see before they are applied. Documents and operations are read digit for digit. */
import type { ProposalState } from '@holdfast/contract';
import type { CallResult } from '@holdfast/contract/call';
import { ApiError } from '@holdfast/contract/call';
import { applyOperations, diff, isJsonObject, type JsonObject, type PatchOperation, parseJson } from '@holdfast/json';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, send } from './http.ts';
import { comingTimes, rereadIn } from './proposal-times.ts';
import { cursorPaging, forgetState, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import {
  commentText,
  emptyDocument,
  readVersion,
  recordOf,
  type StateKey,
  type StateRecord,
  type StateWrite,
  sendOnce,
} from './state.ts';

export interface Times {
  readonly applyAt: string | null;
  readonly revertAt: string | null;
}
const noTimes: Times = { applyAt: null, revertAt: null };

export type ProposalItem = CallResult<'listProposals'>['items'][number];
type Read = CallResult<'readProposal'>;

/** A proposal with its operations. */
export interface Proposal extends ProposalItem {
  readonly ops: readonly PatchOperation[];
  readonly merged: (Omit<NonNullable<Read['merged']>, 'ops'> & { readonly ops: readonly PatchOperation[] }) | null;
}

export interface ProposalKey extends StateKey {
  readonly proposalId: string;
}

/** What a list of proposals shows. `running`: applied ones whose undo is still to come. */
export type ListedProposals = ProposalState | 'running' | 'all';

export const proposalsQuery = (key: StateKey, listed: ListedProposals) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listProposals', key, listed),
    queryFn: async ({ pageParam }) => {
      if (listed === 'running') return { items: await readReverting(key), cursor: null };
      return readPage(key, listed === 'all' ? undefined : listed, pageParam);
    },
    refetchInterval: ({ state: { data } }) => rereadIn(data?.pages.flatMap(({ items }) => items) ?? []),
  });

const readPage = (params: StateKey, state: ProposalState | undefined, cursor: string | null) =>
  call('listProposals', { params, query: { state, cursor } });

export const proposalQuery = (key: ProposalKey) =>
  queryOptions({
    queryKey: keyOf('readProposal', key),
    queryFn: ({ signal }) => readProposal(key, signal),
    refetchInterval: ({ state: { data } }) => rereadIn(data === undefined ? [] : [data]),
  });

async function readProposal(key: ProposalKey, signal?: AbortSignal): Promise<Proposal> {
  return proposalOf(await (await send('readProposal', { params: key, signal })).text());
}

/** A proposal with the document that applying it would produce. */
export interface Proposed {
  readonly proposal: Proposal;
  /** The version that it is applied to; null if there is none. */
  readonly stored: StateRecord | null;
  readonly document: JsonObject;
}

/** Returns undefined for a proposal that has ended. */
export async function readProposed(key: ProposalKey): Promise<Proposed | undefined> {
  const { proposalId: _, ...stateKey } = key;
  const proposal = await readProposal(key);
  const { merged } = proposal;
  if (merged === null) return undefined;
  const stored = merged.version === null ? null : await readVersion(stateKey, merged.version);
  const applied = applyOperations(stored?.state ?? emptyDocument, merged.ops);
  if (applied.kind !== 'patched') throw new TypeError('the proposal does not fit its version');
  return { proposal, stored, document: applied.document };
}

export const proposedQuery = (key: ProposalKey) =>
  queryOptions({
    queryKey: [...keyOf('readProposal', key), 'proposed'],
    queryFn: async () => (await readProposed(key)) ?? null,
  });

function proposalOf(text: string): Proposal {
  const body = parseJson(text);
  if (!isJsonObject(body) || !Array.isArray(body.ops)) throw new TypeError('the service sent no proposal');
  return body as unknown as Proposal;
}

/** What waits for a document. */
export interface Coming {
  readonly open: readonly ProposalItem[];
  /** Applied ones that are undone at a time. */
  readonly reverting: readonly ProposalItem[];
}

/** Of applied proposals, newest first, this many pages are searched for those that will be undone. */
const appliedPagesMax = 4;

export const comingQuery = (key: StateKey) =>
  queryOptions({
    queryKey: keyOf('listProposals', key, 'coming'),
    refetchInterval: 60_000,
    queryFn: async (): Promise<Coming> => {
      const [open, reverting] = await Promise.all([readSome(key, 'open', Number.POSITIVE_INFINITY), readReverting(key)]);
      return { open, reverting };
    },
  });

/** All proposals that may have times: open, failed, and the newest applied ones. */
export const timedQuery = (key: StateKey) =>
  queryOptions({
    queryKey: keyOf('listProposals', key, 'timed'),
    refetchInterval: 60_000,
    queryFn: async (): Promise<readonly ProposalItem[]> => {
      const [open, ...ended] = await Promise.all([
        readSome(key, 'open', Number.POSITIVE_INFINITY),
        readSome(key, 'applied', appliedPagesMax),
        readSome(key, 'failed', 1),
      ]);
      return open.concat(...ended);
    },
  });

async function readReverting(key: StateKey): Promise<readonly ProposalItem[]> {
  const applied = await readSome(key, 'applied', appliedPagesMax);
  return applied.filter((proposal) => comingTimes(proposal).revert !== null);
}

async function readSome(params: StateKey, state: ProposalState, pagesMax: number): Promise<readonly ProposalItem[]> {
  const found: ProposalItem[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(params, state, cursor);
    found.push(...page.items);
    ({ cursor } = page);
    if (cursor === null) break;
  }
  return found;
}

/** Reads the proposals of an environment again. */
export const forgetProposals = ({ accountId, slug, env }: StateKey): Promise<unknown> => {
  const place = { accountId, slug, env };
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf('listProposals', place) }),
    queryClient.invalidateQueries({ queryKey: keyOf('readProposal', place) }),
  ]);
};

/** The body of a change to `next`, in the form of a proposal. */
function changeText({ base, next, comment }: StateWrite, times: Times | undefined): string {
  const ops = JSON.stringify(diff(base?.state ?? emptyDocument, next));
  const when = times === undefined ? '' : `,${JSON.stringify(times).slice(1, -1)}`;
  return `{"baseVersion":${base?.version ?? null},"ops":${ops},"comment":${commentText(comment)}${when}}`;
}

/** Proposes the smallest patch from `base` to `next`. Rejects like `send`. */
export async function propose(key: StateKey, write: StateWrite, times: Times = noTimes): Promise<Proposal> {
  const body = changeText(write, times.applyAt === null && times.revertAt === null ? undefined : times);
  const made = await sendOnce(JSON.stringify([key, body]), (idempotencyKey) =>
    send('createProposal', { params: key, body, idempotencyKey }),
  );
  await forgetProposals(key);
  return proposalOf(made);
}

/** What an edit changes. */
export type ProposalEdit = StateWrite | ({ readonly comment: string } & Partial<Times>) | Pick<Times, 'revertAt'>;

/** Changes a proposal, unless somebody else has: then it returns undefined. */
export async function editProposal(key: ProposalKey, revision: number, edit: ProposalEdit): Promise<Proposal | undefined> {
  const body =
    'next' in edit
      ? changeText(edit, undefined)
      : JSON.stringify('comment' in edit ? { ...edit, comment: edit.comment.trim() || null } : edit);
  return unlessMoved(key, async () =>
    proposalOf(await (await send('updateProposal', { params: key, ifVersion: revision, body })).text()),
  );
}

/** Approves what was seen, unless it has changed: then it returns undefined. */
export const approve = (key: ProposalKey, { revision, merged }: Proposal, comment: string): Promise<true | undefined> =>
  unlessMoved(key, async (): Promise<true> => {
    const body = { revision, version: merged?.version ?? null, comment: comment.trim() || null };
    await call('createProposalApproval', { params: key, body });
    return true;
  });

/** Applies what was seen, unless it has changed: then it returns undefined. */
export const apply = (
  key: ProposalKey,
  { revision }: Proposal,
  { comment, override = false }: { comment: string; override?: boolean },
): Promise<StateRecord | undefined> =>
  unlessMoved(key, async () => {
    const body = { revision, comment: comment.trim() || null, ...(override && { override }) };
    const record = recordOf(await (await send('applyProposal', { params: key, body })).text());
    await forgetState(key);
    return record;
  });

/** Runs a step, then reads the proposals again. Returns undefined if somebody else was first. */
async function unlessMoved<Result>(key: ProposalKey, step: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return undefined;
    throw error;
  } finally {
    await forgetProposals(key);
  }
}
