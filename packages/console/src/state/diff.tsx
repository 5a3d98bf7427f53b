/** A comparison of two documents: what differs value by value, and their texts, with the choice of how they are laid out. */
import type { JsonObject } from '@holdfast/json';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Segments, Skeleton } from '../ui/controls.tsx';
import { ChangeList } from './change-list.tsx';
import { compare, type ValueChange } from './changes.ts';
import type { DiffMode } from './diff-view.tsx';
import type { Place } from './place-in-text.ts';

const loadDiffView = () => import('./diff-view.tsx');
const DiffView = lazy(async () => ({ default: (await loadDiffView()).DiffView }));
/** Loads the code that a comparison needs. Otherwise the dialog of a review would grow, and its buttons move, when that comes. */
export const prepareDiff = (): void => void loadDiffView().catch(() => undefined); // the review tries again

const modeKey = 'holdfast.diff';
/** Narrower windows have no room for two columns. */
const splitWidthMin = 800;

/** The layout that was chosen last; one column where there is no room for two. */
export function useDiffMode(): readonly [DiffMode, (mode: DiffMode) => void] {
  const [mode, setMode] = useState<DiffMode>(() =>
    innerWidth < splitWidthMin || localStorage.getItem(modeKey) === 'unified' ? 'unified' : 'split',
  );
  const choose = (next: DiffMode) => {
    localStorage.setItem(modeKey, next);
    setMode(next);
  };
  return [mode, choose];
}

export interface DiffProps {
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly mode: DiffMode;
  /** What differs, if that is known; none where it stands elsewhere on the page. */
  readonly changes?: readonly ValueChange[] | undefined;
}

export function Diff({ from, to, changes, ...rest }: DiffProps) {
  const texts = useMemo(() => ({ from: formatted(from), to: formatted(to) }), [from, to]);
  const listed = useMemo(() => changes ?? compare(from, to).changes, [changes, from, to]);
  const [place, setPlace] = useState<Place>();
  return (
    <>
      <ChangeList changes={listed} from={from} to={to} onJump={setPlace} />
      <Suspense fallback={<Skeleton rows={6} />}>
        <DiffView {...texts} {...rest} place={place} />
      </Suspense>
    </>
  );
}

export function DiffModeChoice({ mode, onChange }: { mode: DiffMode; onChange: (mode: DiffMode) => void }) {
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
