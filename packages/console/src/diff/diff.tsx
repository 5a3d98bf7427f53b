/** Compares two documents: changes by value, and when asked, texts in a chosen layout. */
import type { JsonObject } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { compare, type ValueChange } from '../json-text/changes.ts';
import type { DiffLine } from '../json-text/line-in-text.ts';
import { textsOf, useTexts, withTexts } from '../texts/index.ts';
import { Segments, Skeleton } from '../ui/controls.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { ChangeList } from './change-list.tsx';
import type { DiffMode } from './diff-view.tsx';
import '../ui/diff.css';

const [useChangeTexts] = textsOf('changes');

const loadDiffView = () => withTexts(import('./diff-view.tsx'));
const DiffView = lazy(async () => ({ default: (await loadDiffView()).DiffView }));
/** Loads the code of a comparison, so that a review's dialog does not grow and move its buttons later. */
export const prepareDiff = (): void => void loadDiffView().catch(() => undefined); // the review tries again

const modeKey = 'holdfast.diff';
const shownKey = 'holdfast.diff-lines';
/** Whether the window has room for two columns. */
const useHasColumns = wideWindow(901);

/** A choice that this browser remembers. */
function useKept<Word extends string>(key: string, first: Word, other: Word): readonly [Word, (next: Word) => void] {
  const [word, setWord] = useState<Word>(() => (localStorage.getItem(key) === other ? other : first));
  const choose = (next: Word) => {
    localStorage.setItem(key, next);
    setWord(next);
  };
  return [word, choose];
}

export interface DiffProps {
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly fromLabel: string;
  readonly toLabel: string;
  /** The changes, if known; none if they are shown elsewhere on the page. */
  readonly changes?: readonly ValueChange[] | undefined;
  /** Whether there is no room for two columns. */
  readonly isNarrow?: true | undefined;
}

/** The changed values in words; the texts below them, when asked. */
export function Diff({ from, to, changes, isNarrow, ...labels }: DiffProps) {
  const c = useChangeTexts();
  const listed = useMemo(() => changes ?? compare(from, to).changes, [changes, from, to]);
  const hasColumns = useHasColumns() && !isNarrow;
  const [chosenMode, setMode] = useKept<DiffMode>(modeKey, 'split', 'unified');
  const [kept, keep] = useKept(shownKey, 'folded', 'shown');
  const [line, setLine] = useState<DiffLine>();
  const isShown = kept === 'shown' || line !== undefined;
  const toggle = () => {
    setLine(undefined);
    keep(isShown ? 'folded' : 'shown');
  };
  return (
    <>
      <ChangeList changes={listed} from={from} to={to} direction={[labels.fromLabel, labels.toLabel]} onJump={setLine} />
      <div className="diff-fold">
        <button type="button" className="diff-toggle" aria-expanded={isShown} onClick={toggle}>
          <ChevronRight aria-hidden="true" />
          {isShown ? c.hideLines : c.showLines}
        </button>
        {isShown && hasColumns && !isEmpty(from) && <DiffModeChoice mode={chosenMode} onChange={setMode} />}
      </div>
      {isShown && <Lines {...labels} from={from} to={to} mode={hasColumns ? chosenMode : 'unified'} line={line} />}
    </>
  );
}

type LinesProps = Omit<DiffProps, 'changes' | 'isNarrow'> & {
  readonly mode: DiffMode;
  readonly line: DiffLine | undefined;
};

function Lines({ from, to, ...rest }: LinesProps) {
  // An empty document has no lines that are taken away.
  const texts = useMemo(() => ({ from: isEmpty(from) ? '' : formatted(from), to: formatted(to) }), [from, to]);
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <DiffView {...texts} {...rest} />
    </Suspense>
  );
}

const isEmpty = (document: JsonObject): boolean => Object.keys(document).length === 0;

function DiffModeChoice({ mode, onChange }: { mode: DiffMode; onChange: (mode: DiffMode) => void }) {
  const t = useTexts();
  return (
    <Segments
      label={t.history.compare}
      value={mode}
      onChange={onChange}
      options={[
        { value: 'split', label: t.state.split },
        { value: 'unified', label: t.state.unified },
      ]}
    />
  );
}
