/** The line below the editor: faults, cursor position, document size, and whether others' changes arrive. */
import { stateCharactersMax } from '@holdfast/contract';
import { formatNumber, useTexts } from '../texts/index.ts';
import { faultSentence } from '../texts/json-faults.ts';
import { useReviewTexts } from '../texts/review.ts';
import { plain } from '../ui/plain-text.ts';
import { type Cursor, usePosition } from './cursor.ts';
import { areCut } from './document-check.ts';
import type { Finding } from './document-text.ts';
import { pathText } from './pointer-text.ts';
import type { EditedDocument } from './use-document.ts';

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
  const r = useReviewTexts();
  const { read, isConnected } = edited;
  return (
    <footer className="status-bar">
      {read.kind === 'fault' ? (
        <button type="button" className="status-fault" onClick={() => onFault(read.position)}>
          {faultSentence(read.fault)}
        </button>
      ) : isChecking && findings.length === 0 ? (
        <span>{r.checking}</span>
      ) : (
        <Verdict findings={findings} onJump={onJump} />
      )}
      {!isForm && <Place cursor={cursor} />}
      {read.kind === 'document' && <SizeMeter characters={read.characters} />}
      <span className="status-live" data-on={isConnected || undefined} title={t.state.liveHint}>
        <i aria-hidden="true" />
        <span>{isConnected ? t.state.live : isConnected === undefined ? t.state.connecting : t.state.waiting}</span>
      </span>
    </footer>
  );
}

function Place({ cursor }: { cursor: Cursor }) {
  const t = useTexts();
  const { line, column } = usePosition(cursor);
  return <span className="status-cursor">{t.state.position(line, column)}</span>;
}

/** Says that the document is valid, or names its first fault. */
function Verdict({ findings, onJump }: { findings: readonly Finding[]; onJump: (path: string) => void }) {
  const t = useTexts();
  const r = useReviewTexts();
  const [first] = findings;
  if (first === undefined) return <span className="status-good">{t.state.valid}</span>;
  return (
    <button
      type="button"
      className="status-fault"
      data-severity={findings.some(({ severity }) => severity === 'error') ? undefined : 'warning'}
      onClick={() => onJump(first.path)}
    >
      {first.flag === undefined
        ? [
            (areCut(findings) ? r.findingsMin : t.state.findings)(findings.length),
            pathText(first.path),
            plain(first.message),
          ]
            .filter(Boolean)
            .join(' · ')
        : [plain(first.message), findings.length > 1 && t.state.moreFindings(findings.length - 1)]
            .filter(Boolean)
            .join(' · ')}
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
