/** Findings about pending and unfinished upgrades, and about a store that was set back. */

import type { Marks } from '../../storage/contract/installation.ts';
import type { UpgradePreview } from '../../storage/sql/schema/upgrade-preview.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('database');

/** Reports a store that a service found set back, until somebody ends the sessions from before. */
export function examineMarks({ rolledBackAt, versionFloor }: Marks): Finding[] {
  if (rolledBackAt === 0) return [];
  const finding = `the store went back to an earlier moment, which was seen at ${new Date(rolledBackAt).toISOString()}; versions continue from ${versionFloor}`;
  const advice =
    'run "holdfast recovered": it ends the sessions and tokens of then, and --audit repeats what was taken away since';
  return [found('warning', finding, advice)];
}

/** Reports what a start of this release would change, and what the upgrade to the current one left unfinished. */
export function examineUpgrade({ migration, pending }: UpgradePreview, unfinished: readonly number[] = []): Finding[] {
  const findings: Finding[] = [];
  if (migration > 0 && pending.length > 0) {
    const advice =
      'nothing to do: the next start brings it up to date; "holdfast upgrade --check" says how long that takes';
    findings.push(found('note', 'the database is of an older release', advice));
  }
  if (unfinished.length > 0) {
    const advice = 'once the last node of the older release is replaced, run "holdfast upgrade --finish"';
    findings.push(found('note', 'the upgrade of the database is not finished', advice));
  }
  return findings;
}
