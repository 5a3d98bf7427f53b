/** Writes a change to public state, or proposes it where it cannot be written. */
import { type Proposal, propose, type Times } from '../api/proposals.ts';
import { type StateKey, type StateRecord, type StateWrite, writeState } from '../api/state.ts';
import { textsOf } from '../texts/index.ts';
import { formatMoment } from '../times/formats.ts';
import { toast } from '../ui/toasts.tsx';
import { undoOf } from './undo.ts';

const [, releaseTextsNow] = textsOf('releases');

export type Outcome =
  | { readonly kind: 'written'; readonly record: StateRecord }
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

export interface Way {
  readonly isProposed: boolean;
  /** The times of a proposal, if any. */
  readonly times?: Times | undefined;
  /** The message about a new version. */
  readonly said: (version: number) => string;
}

/** Writes, or proposes, and says so. Returns undefined, with nothing stored, if somebody else was first. Rejects like `send`. */
export async function writeOrPropose(
  key: StateKey,
  write: StateWrite,
  { isProposed, times, said }: Way,
): Promise<Outcome | undefined> {
  if (!isProposed) {
    const record = await writeState(key, write);
    if (record === undefined) return undefined;
    toast(said(record.version), { action: undoOf(key, write.base, record) });
    return { kind: 'written', record };
  }
  const r = releaseTextsNow();
  const proposal = await propose(key, write, times);
  toast(times?.applyAt == null ? r.proposed : r.scheduled(formatMoment(times.applyAt)));
  return { kind: 'proposed', proposal };
}
