/** The line below the editor: faults, cursor position, document size, and whether others' changes arrive. */
import { stateCharactersMax } from '@holdfast/contract';
import { ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import { type Cursor, usePosition } from '../editor/cursor.ts';
import type { Finding } from '../json-text/document-text.ts';
import { faultSentence } from '../json-text/json-faults.ts';
import type { EditedDocument } from '../open-text/open-document.ts';
import { ProblemList, problemCount } from '../problems/problem-list.tsx';
import { formatNumber, textsOf, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { pathText } from '../ui/pointer-text.ts';
import '../ui/status-bar.css';

const [useChangeTexts] = textsOf('changes');

export interface StatusBarProps {
  readonly edited: EditedDocument;
  /** Whether the document is shown as a form, which has no lines. */
  readonly isForm: boolean;
  readonly cursor: Cursor;
  /** The faults of the document. */
  readonly findings: readonly Finding[];
  /** Whether the schema or the flags are being checked. */
  readonly isChecking: boolean;
  /** Leads to a position of the text. */
  readonly onFault: (position: number) => void;
  /** Leads to the target of a JSON Pointer. */
  readonly onJump: (pointer: string) => void;
}

export function StatusBar({ edited, isForm, cursor, findings, isChecking, onFault, onJump }: StatusBarProps) {
  const t = useTexts();
  const c = useChangeTexts();
  const { read, isConnected } = edited;
  const [isListed, setListed] = useState(false);
  const listId = useId();
  const hasList = read.kind === 'document' && findings.length > 1;
  return (
    <>
      {isListed && hasList && (
        <section id={listId} className="status-problems" aria-label={problemCount(t, c, findings)}>
          <ProblemList findings={findings} onJump={onJump} />
        </section>
      )}
      <footer className="status-bar">
        {read.kind === 'fault' ? (
          <button type="button" className="status-fault" onClick={() => onFault(read.position)}>
            {faultSentence(read.fault)}
          </button>
        ) : isChecking && findings.length === 0 ? (
          <span>{c.checking}</span>
        ) : hasList ? (
          <button
            type="button"
            className="status-fault"
            data-severity={findings.some(({ severity }) => severity === 'error') ? undefined : 'warning'}
            aria-expanded={isListed}
            aria-controls={listId}
            onClick={() => setListed(!isListed)}
          >
            {problemCount(t, c, findings)}
            <ChevronUp aria-hidden="true" />
          </button>
        ) : (
          <Verdict finding={findings[0]} onJump={onJump} />
        )}
        {!isForm && <Place cursor={cursor} />}
        {read.kind === 'document' && <SizeMeter characters={read.characters} />}
        <span className="status-live" data-on={isConnected || undefined} title={t.state.liveHint}>
          <i aria-hidden="true" />
          <span>{isConnected ? t.state.live : isConnected === undefined ? t.state.connecting : t.state.waiting}</span>
        </span>
      </footer>
    </>
  );
}

function Place({ cursor }: { cursor: Cursor }) {
  const t = useTexts();
  const { line, column } = usePosition(cursor);
  return <span className="status-cursor">{t.state.position(line, column)}</span>;
}

/** Says that the document is valid, or names its only fault. */
function Verdict({ finding, onJump }: { finding: Finding | undefined; onJump: (path: string) => void }) {
  const t = useTexts();
  if (finding === undefined) return <span className="status-good">{t.state.valid}</span>;
  return (
    <button
      type="button"
      className="status-fault"
      data-severity={finding.severity === 'error' ? undefined : 'warning'}
      onClick={() => onJump(finding.path)}
    >
      {finding.flag === undefined
        ? [t.state.findings(1), pathText(finding.path), plain(finding.message)].filter(Boolean).join(' · ')
        : plain(finding.message)}
    </button>
  );
}

function SizeMeter({ characters }: { characters: number }) {
  const t = useTexts();
  const share = characters / stateCharactersMax;
  const level = share > 1 ? 'bad' : share > 0.9 ? 'warn' : 'good';
  const text = t.state.size(formatNumber(characters), formatNumber(stateCharactersMax));
  return (
    <span className="size-meter" data-level={level}>
      <meter
        aria-label={t.state.sizeLabel}
        min={0}
        max={stateCharactersMax}
        value={Math.min(characters, stateCharactersMax)}
        data-level={level}
      >
        {text}
      </meter>
      <span>{text}</span>
    </span>
  );
}
