/** The problems of a document, each leading to its value. */
import { type Texts, useTexts } from '../texts/index.ts';
import type { ReviewTexts } from '../texts/review.ts';
import { plain } from '../ui/plain-text.ts';
import { areCut } from './document-check.ts';
import type { Finding } from './document-text.ts';
import { pathText } from './pointer-text.ts';
import './problem-list.css';

/** How many problems there are, or at least are. */
export const problemCount = (t: Texts, r: ReviewTexts, findings: readonly Finding[]): string =>
  (areCut(findings) ? r.findingsMin : t.state.findings)(findings.length);

interface ProblemListProps {
  readonly findings: readonly Finding[];
  /** How many are listed. */
  readonly max?: number;
  /** Leads to the target of a JSON Pointer. */
  readonly onJump: (pointer: string) => void;
}

export function ProblemList({ findings, max = findings.length, onJump }: ProblemListProps) {
  const t = useTexts();
  return (
    <ul className="problem-list">
      {findings.slice(0, max).map(({ path, message, flag, severity }) => (
        <li key={`${path} ${message}`}>
          <button type="button" data-severity={severity} onClick={() => onJump(path)}>
            {flag === undefined && <bdi>{pathText(path)}</bdi>}
            <span>{plain(message)}</span>
          </button>
        </li>
      ))}
      {findings.length > max && <li className="hint">{t.state.moreFindings(findings.length - max)}</li>}
    </ul>
  );
}
