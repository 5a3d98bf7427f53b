/** Compares two texts, side by side or one below the other. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { readerSetup } from '../editor/code.ts';
import type { DiffLine } from '../json-text/line-in-text.ts';
import { useTexts } from '../texts/index.ts';
import { diffByLines } from './line-diff.ts';
import '../ui/diff.css';

export type DiffMode = 'split' | 'unified';

export interface DiffViewProps {
  readonly from: string;
  readonly to: string;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly mode: DiffMode;
  /** Where to scroll. A new object scrolls again. */
  readonly line?: DiffLine | undefined;
}

const diffConfig = { override: diffByLines };
/** Equal lines are left out, except for this many around each change. */
const folding = { collapseUnchanged: { margin: 3, minSize: 6 } };

export function DiffView({ from, to, fromLabel, toLabel, line, ...props }: DiffViewProps) {
  const t = useTexts();
  // Where there was nothing, there is no other side.
  const isFirst = from === '';
  const mode = isFirst ? 'unified' : props.mode;
  const [isWhole, setWhole] = useState(false);
  const parent = useRef<HTMLDivElement>(null);
  const editors = useRef<Editors>(undefined);
  useEffect(() => {
    const { current } = parent;
    if (current === null) return;
    const named = (label: string) => [
      readerSetup(),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ];
    if (mode === 'split') {
      const view = new MergeView({
        a: { doc: from, extensions: named(fromLabel) },
        b: { doc: to, extensions: named(toLabel) },
        parent: current,
        diffConfig,
        gutter: true,
        ...(!isWhole && folding),
      });
      editors.current = { from: view.a, to: view.b };
      return () => view.destroy();
    }
    const unified = unifiedMergeView({
      original: from,
      mergeControls: false,
      diffConfig,
      syntaxHighlightDeletions: false, // parsed on its own, a line's key is taken for a text
      ...(!isWhole && folding),
    });
    const view = new EditorView({ doc: to, parent: current, extensions: [named(toLabel), unified] });
    editors.current = { from: undefined, to: view };
    return () => view.destroy();
  }, [from, to, fromLabel, toLabel, mode, isWhole]);
  useEffect(() => {
    if (line !== undefined && editors.current !== undefined) goTo(editors.current, line);
  }, [line]);
  return (
    <div className={`diff ${mode}`} data-first={isFirst || undefined}>
      <div className="diff-labels">
        {!isFirst && <span aria-hidden="true">{fromLabel}</span>}
        <span aria-hidden="true">{toLabel}</span>
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {t.state.allLines}
        </button>
      </div>
      <div className="diff-view" ref={parent} />
    </div>
  );
}

interface Editors {
  /** None if both texts are in one column. */
  readonly from: EditorView | undefined;
  readonly to: EditorView;
}

/** Scrolls a line to the middle. In one column, removed text has no line. */
function goTo({ from, to }: Editors, { side, line }: DiffLine): void {
  const view = (side === 'from' ? from : undefined) ?? to;
  const at = view.state.doc.line(Math.min(line, view.state.doc.lines)).from;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
}
