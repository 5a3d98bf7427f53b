/** The versions of a document: who, when, why; what changed; and the way back. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Clock, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { historyQuery, versionQuery } from '../api/queries.ts';
import { emptyDocument, type StateKey } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/place.ts';
import { Diff, DiffModeChoice, useDiffMode } from '../state/diff.tsx';
import { isSame } from '../state/merge3.ts';
import { useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain } from '../ui/plain.tsx';
import { Restore } from './history-restore.tsx';
import { Timeline } from './history-timeline.tsx';

export function HistoryPage() {
  const t = useTexts();
  const key = useStateKey();
  const { slug, env } = key;
  const search = useSearch({ from: '/shell/p/$slug/$env/history' });
  const navigate = useNavigate();
  const history = useInfiniteQuery(historyQuery(key));
  const items = useMemo(() => history.data?.pages.flatMap((page) => page.items) ?? [], [history.data]);
  const current = items[0]?.version ?? 0;
  const version = search.version ?? current;
  const from = search.from ?? version - 1;
  const choose = (next: { version?: number; from?: number }) =>
    void navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: next });
  if (isMissing(history.error)) return <NotFound />;
  return (
    <div className="history-page">
      <PageHeader title={t.history.title} lead={<EnvironmentName env={env} />} />
      <Fault error={history.error} onRetry={() => void history.refetch()} />
      {history.isPending && <Skeleton rows={10} />}
      {history.data !== undefined && items.length === 0 && (
        <EmptyState icon={<Clock />} title={t.history.empty}>
          {t.history.emptyText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <div className="history">
          <Timeline
            items={items}
            selected={version}
            hasMore={history.hasNextPage}
            isLoading={history.isFetchingNextPage}
            onMore={() => void history.fetchNextPage()}
            onSelect={(next) => choose({ version: next })}
          />
          <Comparison
            key={`${slug}/${env}`}
            stateKey={key}
            version={version}
            from={from}
            current={current}
            onFrom={(next) => choose({ version, from: next })}
          />
        </div>
      )}
    </div>
  );
}

interface ComparisonProps {
  readonly stateKey: StateKey;
  readonly version: number;
  /** 0 for what was before the first version. */
  readonly from: number;
  readonly current: number;
  readonly onFrom: (version: number) => void;
}

function Comparison({ stateKey, version, from, current, onFrom }: ComparisonProps) {
  const t = useTexts();
  const [mode, setMode] = useDiffMode();
  const [isRestoring, setRestoring] = useState(false);
  const [typed, setTyped] = useState<string>();
  const to = useQuery(versionQuery(stateKey, version));
  const before = useQuery(versionQuery(stateKey, from));
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
        {version !== current && (
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
            fromLabel={from === 0 ? t.history.first : t.common.version(from)}
            toLabel={t.common.version(version)}
            mode={mode}
          />
        </>
      )}
      {(to.isPending || (from > 0 && before.isPending)) && !to.error && !before.error && <Skeleton rows={8} />}
      {isRestoring && to.data !== undefined && (
        <Restore stateKey={stateKey} record={to.data} onClose={() => setRestoring(false)} />
      )}
    </section>
  );
}
