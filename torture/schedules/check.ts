/** What must have become of changes at set times, by the proposals and the versions of a document. */
import type { Counts } from '../../tooling/statistics.ts';
import type { Change, Edit, ScheduledState } from './plan.ts';

/** How late a step may be while the service runs. */
export const lateMillisecondsMax = 2_000;

/** The time when a disturbance began, and when all nodes were ready again, by `Date.now`. */
export interface Outage {
  readonly from: number;
  to: number;
}

/** Whether the service may have been away between two times. */
export const isExcused = (outages: readonly Outage[], from: number, to: number): boolean =>
  outages.some((outage) => outage.from <= to && from <= outage.to);

export interface ShownProposal {
  readonly comment: string;
  readonly state: 'open' | 'applied' | 'withdrawn' | 'failed';
  readonly revertAt: string | null;
  readonly appliedVersion: number | null;
  readonly appliedAt: string | null;
  readonly revertedVersion: number | null;
  readonly revertedAt: string | null;
  readonly failure: { readonly code: string; readonly conflicts: readonly string[] } | null;
}

export interface ScheduledVersion {
  readonly version: number;
  readonly comment: string | null;
  readonly state: ScheduledState;
}

export interface Found {
  /** Outcomes of changes. */
  readonly counts: Counts;
  /** Milliseconds from each time to its step, without those that an outage excuses. */
  readonly delays: number[];
  readonly faults: string[];
}

export interface CheckedDocument {
  readonly path: string;
  readonly changes: readonly Change[];
  readonly edits: readonly Edit[];
  readonly proposals: readonly ShownProposal[];
  /** The oldest first. */
  readonly versions: readonly ScheduledVersion[];
  readonly outages: readonly Outage[];
}

/** An edit that was there so long before a time came before it. */
const certainMilliseconds = 1_000;

/** Adds what is found about a document. */
export function checkDocument(document: CheckedDocument, found: Found): void {
  const fault = (text: string) => found.faults.push(`${document.path}: ${text}`);
  for (const change of document.changes) {
    const shown = document.proposals.filter(({ comment }) => comment === change.name);
    const [proposal] = shown;
    if (proposal === undefined || shown.length > 1) fault(`${change.name} is there ${shown.length} times`);
    else checkChange(document, change, proposal, found, fault);
  }
  checkVersions(document, fault);
}

function checkChange(
  { edits, versions, outages }: CheckedDocument,
  change: Change,
  proposal: ShownProposal,
  { counts, delays }: Found,
  fault: (text: string) => void,
): void {
  const { name, applyAt, revertAt } = change;
  const { state, failure, appliedVersion, appliedAt, revertedVersion, revertedAt } = proposal;
  const written = versions.filter(({ comment }) => comment === name).map(({ version }) => version);
  const expected = [appliedVersion, revertedVersion].filter((version) => version !== null);
  if (String(written) !== String(expected)) fault(`${name} was written as [${written}], and shows [${expected}]`);
  const outcome = `${state}${revertedVersion === null ? '' : ' and reverted'}${failure === null ? '' : ` (${failure.code})`}`;
  counts.add(outcome);
  const possible = outcomesOf(
    change,
    edits.find((edit) => edit.name === name),
  );
  if (!possible.includes(outcome)) fault(`${name} (${change.kind}) was ${outcome} instead of ${possible.join(' or ')}`);
  if (failure?.code === 'merge_conflict' && String(failure.conflicts) !== `/values/${name}`)
    fault(`${name} conflicts at [${failure.conflicts}]`);
  for (const [due, at] of [
    [applyAt, appliedAt],
    [revertAt, revertedAt],
  ] as const) {
    if (due === null || at === null) continue;
    const delay = Date.parse(at) - due;
    if (delay < 0) fault(`${name} was ${-delay} ms early`);
    if (isExcused(outages, due, due + Math.max(delay, lateMillisecondsMax))) counts.add('step in an outage');
    else delays.push(delay);
    if (delay > lateMillisecondsMax && !isExcused(outages, due, due + delay)) fault(`${name} was ${delay} ms late`);
  }
}

/** The possible outcomes of a change, of which several are possible only if it is not certain when an edit came. */
function outcomesOf({ kind, applyAt, revertAt }: Change, edit: Edit | undefined): readonly string[] {
  const isBefore = (due: number) => edit?.doneAt !== undefined && edit.doneAt < due - certainMilliseconds;
  const conflict = 'failed (merge_conflict)';
  switch (kind) {
    case 'kept':
      return ['applied'];
    case 'reverted':
      return ['applied and reverted'];
    case 'contested':
      return isBefore(applyAt) ? [conflict] : [conflict, 'applied'];
    case 'stuck': {
      const stuck = 'applied (merge_conflict)';
      return isBefore(revertAt as number) ? [stuck] : [stuck, 'applied and reverted'];
    }
  }
}

/** Every version follows from the one before by the step that it names, or by others' edits. */
function checkVersions({ edits, versions }: CheckedDocument, fault: (text: string) => void): void {
  versions.forEach((next, index) => {
    const before = versions[index - 1];
    if (before === undefined) return;
    if (next.version !== before.version + 1) fault(`version ${next.version} follows ${before.version}`);
    const names = Object.keys(next.state.values).filter((name) => next.state.values[name] !== before.state.values[name]);
    const { comment } = next;
    const isOwn = (name: string) => (comment === null ? edits.some((edit) => edit.name === name) : name === comment);
    if (!names.every(isOwn)) fault(`version ${next.version} (${comment}) changes ${names.filter((name) => !isOwn(name))}`);
    if (comment !== null && (names.length !== 1 || next.state.noise !== before.state.noise))
      fault(`version ${next.version} (${comment}) changes ${names.length} values`);
  });
}
