/** Compares two versions, and offers to restore one. */
import { isSame } from '@holdfast/json';
import type { UseQueryResult } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { emptyDocument, type StateRecord } from '../api/state.ts';
import { Diff, DiffModeChoice, useDiffMode } from '../state/diff.tsx';
import { useTexts } from '../texts/index.ts';
import { Button, Notice, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain } from '../ui/plain.tsx';

type VersionRead = Pick<UseQueryResult<StateRecord>, 'data' | 'error' | 'isPending' | 'refetch'>;

interface ComparisonProps {
  readonly to: VersionRead;
  readonly before: VersionRead;
  readonly version: number;
  /** 0 means before the first version. */
  readonly from: number;
  readonly current: number;
  readonly onFrom: (version: number) => void;
  /** Shown in place of a missing earlier version. */
  readonly firstLabel?: string | undefined;
  /** Restores a version; left out if not allowed. */
  readonly restore?: ((record: StateRecord, onClose: () => void) => ReactNode) | undefined;
}

export function Comparison({ to, before, version, from, current, onFrom, firstLabel, restore }: ComparisonProps) {
  const t = useTexts();
  const [mode, setMode] = useDiffMode();
  const [isRestoring, setRestoring] = useState(false);
  const [typed, setTyped] = useState<string>();
  const older = from === 0 ? emptyDocument : before.data?.state;
  const submitFrom = () => {
    const wanted = Number(typed);
    if (Number.isSafeInteger(wanted) && wanted > 0 && wanted <= current) onFrom(wanted);
    setTyped(undefined);
  };
  return (
    <section className="comparison" aria-label={t.history.compare}>
      <header className="comparison-head">
        <div>
          <h2>{t.common.version(version)}</h2>
          <p>
            <Plain>{to.data?.version === version ? (to.data.comment ?? t.common.noComment) : ' '}</Plain>
          </p>
        </div>
        {restore && version !== current && (
          <Button icon={<RotateCcw />} aria-label={t.history.restore} onClick={() => setRestoring(true)}>
            {t.history.restoreShort}
          </Button>
        )}
      </header>
      <div className="diff-bar">
        <label className="compare-from">
          {t.history.pick}
          <input
            inputMode="numeric"
            aria-label={t.history.pick}
            value={typed ?? (from === 0 ? '–' : String(from))}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={submitFrom}
            onKeyDown={(event) => event.key === 'Enter' && submitFrom()}
          />
        </label>
        <DiffModeChoice mode={mode} onChange={setMode} />
      </div>
      <Fault error={to.error ?? before.error} onRetry={() => void Promise.all([to.refetch(), before.refetch()])} />
      {to.data !== undefined && older !== undefined && (
        <>
          {isSame(to.data.state, older) && from > 0 && <Notice>{t.history.same}</Notice>}
          <Diff
            from={older}
            to={to.data.state}
            fromLabel={from === 0 ? (firstLabel ?? t.history.first) : t.common.version(from)}
            toLabel={t.common.version(version)}
            mode={mode}
          />
        </>
      )}
      {(to.isPending || (from > 0 && before.isPending)) && !to.error && !before.error && <Skeleton rows={8} />}
      {/* While a version is read, the one before is still shown: that is not what is restored. */}
      {isRestoring && to.data?.version === version && restore?.(to.data, () => setRestoring(false))}
    </section>
  );
}
