/** Compares two documents: changes by value, and texts in a chosen layout. */
import type { JsonObject } from '@holdfast/json';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Segments, Skeleton } from '../ui/controls.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { ChangeList } from './change-list.tsx';
import { compare, type ValueChange } from './changes.ts';
import type { DiffMode } from './diff-view.tsx';
import type { DiffLine } from './line-in-text.ts';

const loadDiffView = () => import('./diff-view.tsx');
const DiffView = lazy(async () => ({ default: (await loadDiffView()).DiffView }));
/** Loads the code of a comparison, so that a review's dialog does not grow and move its buttons later. */
export const prepareDiff = (): void => void loadDiffView().catch(() => undefined); // the review tries again

const modeKey = 'holdfast.diff';
/** Narrower windows have no room for two columns. */
export const splitWidthMin = 800;

/** Whether the window has room for two columns. */
const useHasColumns = wideWindow(splitWidthMin);

/** The last chosen layout; one column if there is no room for two. */
export function useDiffMode(): readonly [DiffMode, (mode: DiffMode) => void] {
  const hasColumns = useHasColumns();
  const [mode, setMode] = useState<DiffMode>(() => (localStorage.getItem(modeKey) === 'unified' ? 'unified' : 'split'));
  const choose = (next: DiffMode) => {
    localStorage.setItem(modeKey, next);
    setMode(next);
  };
  return [hasColumns ? mode : 'unified', choose];
}

export interface DiffProps {
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly mode: DiffMode;
  /** The changes, if known; none if they are shown elsewhere on the page. */
  readonly changes?: readonly ValueChange[] | undefined;
}

export function Diff({ from, to, changes, ...rest }: DiffProps) {
  // An empty document has no lines that are taken away.
  const texts = useMemo(() => ({ from: isEmpty(from) ? '' : formatted(from), to: formatted(to) }), [from, to]);
  const listed = useMemo(() => changes ?? compare(from, to).changes, [changes, from, to]);
  const [line, setLine] = useState<DiffLine>();
  return (
    <>
      <ChangeList changes={listed} from={from} to={to} onJump={setLine} />
      <Suspense fallback={<Skeleton rows={6} />}>
        <DiffView {...texts} {...rest} line={line} />
      </Suspense>
    </>
  );
}

const isEmpty = (document: JsonObject): boolean => Object.keys(document).length === 0;

/** The choice of a layout, where there is room for two columns. */
export function DiffModeChoice({ mode, onChange }: { mode: DiffMode; onChange: (mode: DiffMode) => void }) {
  const t = useTexts();
  return useHasColumns() ? (
    <Segments
      label={t.history.compare}
      value={mode}
      onChange={onChange}
      options={[
        { value: 'split', label: t.state.split },
        { value: 'unified', label: t.state.unified },
      ]}
    />
  ) : null;
}
