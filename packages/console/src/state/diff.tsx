/** A comparison of two documents, with the choice of how it is laid out. */
import type { JsonObject } from '@holdfast/json';
import { lazy, Suspense, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Segments, Skeleton } from '../ui/controls.tsx';
import type { DiffMode } from './diff-view.tsx';

const DiffView = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }));
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
}

export function Diff({ from, to, ...rest }: DiffProps) {
  const texts = useMemo(() => ({ from: formatted(from), to: formatted(to) }), [from, to]);
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <DiffView {...texts} {...rest} />
    </Suspense>
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
