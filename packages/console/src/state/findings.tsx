/** Faults of a document that is about to be saved: those that will be refused, and others. */
import { useTexts } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import type { Finding } from './document-text.ts';
import { pathText } from './pointer-text.ts';

const shownMax = 5;

export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useTexts();
  if (findings.length === 0) return null;
  const isRefused = findings.some(({ severity }) => severity === 'error');
  return (
    <Notice kind={isRefused ? 'bad' : 'warn'} title={isRefused ? t.state.refused : t.state.doubtful}>
      <ul className="findings">
        {findings.slice(0, shownMax).map(({ path, message, flag }) => (
          <li key={`${path} ${message}`}>
            {flag === undefined && <bdi>{pathText(path)}</bdi>} {plain(message)}
          </li>
        ))}
      </ul>
      {findings.length > shownMax && t.state.moreFindings(findings.length - shownMax)}
    </Notice>
  );
}
