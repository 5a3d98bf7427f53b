/** The versions of a document: who, when, why; what changed; and the way back. */
import type { HistoryItemBody } from '@holdfast/contract';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Clock, RotateCcw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { historyQuery } from '../api/queries.ts';
import {
  emptyDocument,
  readState,
  readVersion,
  type StateKey,
  type StateRecord,
  VersionConflict,
  writeState,
} from '../api/state.ts';
import { isMissing, NotFound } from '../shell/Shell.tsx';
import { useAccountId, useSubject } from '../shell/session.tsx';
import { authorName } from '../state/authors.ts';
import { Diff, DiffModeChoice, useDiffMode } from '../state/Diff.tsx';
import { isSame } from '../state/merge3.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName, Field, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toasts.tsx';

export function HistoryPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug, env } = useParams({ from: '/shell/p/$slug/$env/history' });
  const search = useSearch({ from: '/shell/p/$slug/$env/history' });
  const navigate = useNavigate();
  useTitle(`${t.history.title} · ${t.environments[env]} · ${slug}`);
  const key = useMemo(() => ({ accountId, slug, env }), [accountId, slug, env]);
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

interface TimelineProps {
  readonly items: readonly HistoryItemBody[];
  readonly selected: number;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly onSelect: (version: number) => void;
}

const rowHeight = 76;

/** The list of versions. Only the rows in view are rendered. */
function Timeline({ items, selected, hasMore, isLoading, onMore, onSelect }: TimelineProps) {
  const t = useTexts();
  const parent = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => parent.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoading && last >= items.length - 10) onMore();
  }, [hasMore, isLoading, last, items.length, onMore]);
  const move = (step: number) => {
    const index = items.findIndex(({ version }) => version === selected) + step;
    const next = items[index];
    if (next === undefined) return;
    rows.scrollToIndex(index);
    onSelect(next.version);
  };
  return (
    <section
      className="timeline"
      ref={parent}
      aria-label={t.history.list}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(step);
      }}
    >
      <ol style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index] as HistoryItemBody;
          return (
            <li key={item.version} style={{ transform: `translateY(${start}px)`, height: rowHeight }}>
              <VersionRow
                item={item}
                before={items[index + 1]}
                isSelected={item.version === selected}
                isCurrent={index === 0}
                onSelect={() => onSelect(item.version)}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function VersionRow(props: {
  item: HistoryItemBody;
  before: HistoryItemBody | undefined;
  isSelected: boolean;
  isCurrent: boolean;
  onSelect: () => void;
}) {
  const t = useTexts();
  const subject = useSubject();
  const { item, before, isSelected, isCurrent, onSelect } = props;
  const change = before === undefined ? 0 : item.stateSizeBytes - before.stateSizeBytes;
  return (
    <button type="button" className="version" aria-current={isSelected || undefined} onClick={onSelect}>
      <span className="version-head">
        <b>{t.common.version(item.version)}</b>
        {isCurrent && <span className="badge accent">{t.history.current}</span>}
        <span className="version-size">
          {formatBytes(item.stateSizeBytes)}
          {change !== 0 && (
            <small
              data-sign={change > 0 ? 'more' : 'less'}
            >{` ${change > 0 ? '+' : '−'}${formatBytes(Math.abs(change))}`}</small>
          )}
        </span>
      </span>
      <span className="version-comment" data-none={item.comment === null || undefined}>
        <bdi>{item.comment ?? t.common.noComment}</bdi>
      </span>
      <span className="version-foot">
        <bdi>{authorName(t, item.author, subject)}</bdi> ·{' '}
        <time dateTime={item.createdAt} title={formatTime(item.createdAt)}>
          {formatAgo(item.createdAt)}
        </time>
      </span>
    </button>
  );
}

function useVersion(key: StateKey, version: number) {
  return useQuery({
    queryKey: ['version', key.accountId, key.slug, key.env, version],
    queryFn: () => readVersion(key, version),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    placeholderData: (before: StateRecord | undefined) => before,
  });
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
  const to = useVersion(stateKey, version);
  const before = useVersion(stateKey, from);
  const older = from === 0 ? emptyDocument : before.data?.state;
  const submitFrom = () => {
    const wanted = Number(typed);
    if (Number.isSafeInteger(wanted) && wanted > 0 && wanted <= current) onFrom(wanted);
    setTyped(undefined);
  };
  return (
    <section className="comparison" aria-label={t.history.compare}>
      <div className="diff-bar">
        <h2>{t.common.version(version)}</h2>
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
        {version === current ? (
          <span className="hint">{t.history.isCurrent}</span>
        ) : (
          <Button icon={<RotateCcw />} onClick={() => setRestoring(true)}>
            {t.history.restore}
          </Button>
        )}
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

function Restore({ stateKey, record, onClose }: { stateKey: StateKey; record: StateRecord; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [mode] = useDiffMode();
  const [comment, setComment] = useState(t.history.restoreComment(record.version));
  const [isBusy, setBusy] = useState(false);
  const [isMoved, setMoved] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const { accountId, slug, env } = stateKey;
  const now = useQuery({
    queryKey: ['restoring', accountId, slug, env],
    queryFn: () => readState(stateKey),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const restore = async () => {
    if (isBusy || now.data === undefined) return;
    setBusy(true);
    setFault(undefined);
    setMoved(false);
    try {
      const written = await writeState(stateKey, { base: now.data, next: record.state, comment });
      toast(t.history.restored(written.version));
      for (const name of ['history', 'head', 'state']) {
        await queries.invalidateQueries({ queryKey: [name, accountId, slug, env] });
      }
      await navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: {} });
      onClose();
    } catch (error) {
      if (error instanceof VersionConflict) {
        setMoved(true);
        await now.refetch();
      } else setFault(error);
    } finally {
      setBusy(false);
    }
  };
  const isNothing = now.data != null && isSame(now.data.state, record.state);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title={t.history.restoreTitle(record.version)}
      text={t.history.restoreText}
    >
      {isMoved && <Notice kind="warn">{t.history.moved}</Notice>}
      {isNothing && <Notice>{t.history.same}</Notice>}
      {now.data === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <Diff
          from={now.data?.state ?? emptyDocument}
          to={record.state}
          fromLabel={`${t.history.current} · ${now.data === null ? '–' : t.common.version(now.data.version)}`}
          toLabel={t.common.version(record.version)}
          mode={mode}
        />
      )}
      <Fault error={fault ?? now.error} />
      <form
        className="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          void restore();
        }}
      >
        <Field label={t.state.comment}>
          {(attributes) => (
            <input {...attributes} value={comment} maxLength={1000} onChange={(event) => setComment(event.target.value)} />
          )}
        </Field>
        <div className="form-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={now.data === undefined || isNothing}>
            {t.history.restore}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
