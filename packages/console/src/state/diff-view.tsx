/** Two texts compared: side by side, or one below the other. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { readerSetup } from './code.ts';

export type DiffMode = 'split' | 'unified';

export interface DiffViewProps {
  readonly from: string;
  readonly to: string;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly mode: DiffMode;
}

/** A comparison that takes longer becomes coarser. With 1,000, a hundred values that differ in 5,000 lines become one block. */
const diffConfig = { scanLimit: 5_000, timeout: 300 };
const collapseUnchanged = { margin: 3, minSize: 6 };

export function DiffView({ from, to, fromLabel, toLabel, mode }: DiffViewProps) {
  const parent = useRef<HTMLDivElement>(null);
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
        collapseUnchanged,
        gutter: true,
      });
      return () => view.destroy();
    }
    const unified = unifiedMergeView({ original: from, mergeControls: false, diffConfig, collapseUnchanged });
    const view = new EditorView({ doc: to, parent: current, extensions: [named(toLabel), unified] });
    return () => view.destroy();
  }, [from, to, fromLabel, toLabel, mode]);
  return (
    <div className={`diff ${mode}`}>
      {mode === 'split' && (
        <div className="diff-labels" aria-hidden="true">
          <span>{fromLabel}</span>
          <span>{toLabel}</span>
        </div>
      )}
      <div className="diff-view" ref={parent} />
    </div>
  );
}
