/** What must have become of changes at set times, by the proposals and the versions of a document. */
import type { Counts } from '../../tooling/statistics.ts';
import type { Change, Edit, ScheduledState } from './plan.ts';

/** The time when a disturbance began, and when all nodes were ready again, by `Date.now`. Outages follow each other. */
export interface Outage {
  readonly from: number;
  to: number;
}

/** For how many milliseconds between two times the service was up. */
export const upBetween = (outages: readonly Outage[], from: number, to: number): number =>
  outages.reduce((up, outage) => up - Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), to - from);

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
  /** For how many milliseconds the service was up between each time and its step. */
  readonly delays: number[];
  /** The number of these steps that an outage came before. */
  delayed: number;
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
  /** For how long the service may be up before it takes a step that is due. */
  readonly lateMillisecondsMax: number;
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
  document: CheckedDocument,
  change: Change,
  proposal: ShownProposal,
  found: Found,
  fault: (text: string) => void,
): void {
  const { versions, outages, lateMillisecondsMax } = document;
  const { name, applyAt, revertAt } = change;
  const { state, failure, appliedVersion, appliedAt, revertedVersion, revertedAt } = proposal;
  const written = versions.filter(({ comment }) => comment === name).map(({ version }) => version);
  const expected = [appliedVersion, revertedVersion].filter((version) => version !== null);
  if (String(written) !== String(expected)) fault(`${name} was written as [${written}], and shows [${expected}]`);
  const outcome = `${state}${revertedVersion === null ? '' : ' and reverted'}${failure === null ? '' : ` (${failure.code})`}`;
  found.counts.add(outcome);
  const possible = outcomesOf(document, change);
  if (!possible.includes(outcome)) fault(`${name} (${change.kind}) was ${outcome} instead of ${possible.join(' or ')}`);
  if (failure?.code === 'merge_conflict' && String(failure.conflicts) !== `/values/${name}`)
    fault(`${name} conflicts at [${failure.conflicts}]`);
  for (const [due, at] of [
    [applyAt, appliedAt],
    [revertAt, revertedAt],
  ] as const) {
    if (due === null || at === null) continue;
    const whole = Date.parse(at) - due;
    const delay = upBetween(outages, due, due + whole);
    if (whole < 0) fault(`${name} was ${-whole} ms early`);
    if (delay > lateMillisecondsMax) fault(`${name} was ${delay} ms late, of ${whole} ms with outages`);
    if (delay < whole) found.delayed += 1;
    found.delays.push(delay);
  }
}

/** The possible outcomes of a change: several only if it is not certain when an edit came, or if an outage lasted until its revert. */
function outcomesOf(
  { edits, outages, lateMillisecondsMax }: CheckedDocument,
  { name, kind, applyAt, revertAt }: Change,
): readonly string[] {
  const edit = edits.find((one) => one.name === name);
  const isBefore = (due: number) => edit?.doneAt !== undefined && edit.doneAt < due - certainMilliseconds;
  const conflict = 'failed (merge_conflict)';
  const mayBeTooLate = revertAt !== null && upBetween(outages, applyAt, revertAt) <= lateMillisecondsMax;
  const late = mayBeTooLate ? ['failed (too_late)'] : [];
  switch (kind) {
    case 'kept':
      return ['applied'];
    case 'reverted':
      return ['applied and reverted', ...late];
    case 'contested':
      return isBefore(applyAt) ? [conflict] : [conflict, 'applied'];
    case 'stuck': {
      const stuck = 'applied (merge_conflict)';
      return isBefore(revertAt as number) ? [stuck, ...late] : [stuck, 'applied and reverted', ...late];
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
