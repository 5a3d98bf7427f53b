/** Faults of a document that is about to be saved: those that will be refused, and others. */

import type { Finding } from '../json-text/document-text.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { pathText } from '../ui/pointer-text.ts';
import { areCut } from './document-check.ts';
import '../ui/change-list.css';

const [useChangeTexts] = textsOf('changes');

const shownMax = 5;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Those that the stored version has too. */
  readonly earlier: ReadonlySet<Finding>;
}

/** What is new stands apart from what was there before. */
export function Findings({ findings, earlier }: FindingsProps) {
  const c = useChangeTexts();
  const added = findings.filter((finding) => !earlier.has(finding));
  const old = findings.filter((finding) => earlier.has(finding));
  return (
    <>
      <FindingList findings={added} label={old.length > 0 ? c.newFindings : undefined} />
      {old.some(isRefused) ? (
        <FindingList findings={old} label={c.oldFindings} />
      ) : (
        <EarlierFindings findings={old} isCut={areCut(findings)} />
      )}
    </>
  );
}

const isRefused = ({ severity }: Finding) => severity === 'error';

function FindingList({ findings, label }: { findings: readonly Finding[]; label: string | undefined }) {
  const t = useTexts();
  if (findings.length === 0) return null;
  const areRefused = findings.some(isRefused);
  return (
    <Notice kind={areRefused ? 'bad' : 'warn'} title={areRefused ? t.state.refused : t.state.doubtful}>
      {label}
      <FindingLines findings={findings} />
    </Notice>
  );
}

/** Problems that a version has and the changes do not touch: they are not in the way. */
function EarlierFindings({ findings, isCut }: { findings: readonly Finding[]; isCut: boolean }) {
  const c = useChangeTexts();
  if (findings.length === 0) return null;
  return (
    <details className="earlier-findings">
      <summary>{(isCut ? c.earlierMin : c.earlier)(findings.length)}</summary>
      <FindingLines findings={findings} />
    </details>
  );
}

function FindingLines({ findings }: { findings: readonly Finding[] }) {
  const t = useTexts();
  return (
    <>
      <ul className="findings">
        {findings.slice(0, shownMax).map(({ path, message, flag }) => (
          <li key={`${path} ${message}`}>
            {flag === undefined && <bdi>{pathText(path)}</bdi>} {plain(message)}
          </li>
        ))}
      </ul>
      {findings.length > shownMax && t.state.moreFindings(findings.length - shownMax)}
    </>
  );
}
