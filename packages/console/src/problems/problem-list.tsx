/** The problems of a document, each leading to its value. */
import { useState } from 'react';
import type { Finding } from '../json-text/document-text.ts';
import type { ChangeTexts } from '../texts/changes-en.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { pathText } from '../ui/pointer-text.ts';
import { areCut } from './document-check.ts';
import './problem-list.css';

/** How many problems there are, or at least are. */
export const problemCount = (t: Texts, c: ChangeTexts, findings: readonly Finding[]): string =>
  (areCut(findings) ? c.findingsMin : t.state.findings)(findings.length);

interface ProblemListProps {
  readonly findings: readonly Finding[];
  /** How many are listed at first. */
  readonly max?: number;
  /** Leads to the target of a JSON Pointer. */
  readonly onJump: (pointer: string) => void;
}

export function ProblemList({ findings, max = findings.length, onJump }: ProblemListProps) {
  const t = useTexts();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? findings : findings.slice(0, max);
  return (
    <ul className="problem-list">
      {shown.map(({ path, message, flag, severity }) => (
        <li key={`${path} ${message}`}>
          <button type="button" data-severity={severity} onClick={() => onJump(path)}>
            {flag === undefined && <bdi>{pathText(path)}</bdi>}
            <span>{plain(message)}</span>
          </button>
        </li>
      ))}
      {findings.length > shown.length && (
        <li>
          <button type="button" className="link" onClick={() => setWhole(true)}>
            {t.state.moreFindings(findings.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  );
}
