/** The versions of a player's save that are kept: who, when, why; what changed; and the way back. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Clock } from 'lucide-react';
import { useMemo } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { openingSaveQuery, saveHistoryQuery, saveVersionQuery } from '../api/players.ts';
import { readSaveVersion, type SaveKey, type StateRecord } from '../api/state.ts';
import { EnvironmentSwitch } from '../shell/environment-switch.tsx';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/place.ts';
import { useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { EmptyState, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Comparison } from './history-comparison.tsx';
import { Timeline } from './history-timeline.tsx';
import type { VersionSource } from './path-search.ts';
import { usePlayerKey } from './player-key.ts';
import { useSettled } from './settled.ts';
import { WriteSave } from './write-save.tsx';

export function SaveHistoryPage() {
  const p = usePlayerTexts();
  const { endUserId } = usePlayerKey();
  const stateKey = useStateKey();
  const { slug, env } = stateKey;
  const key = useMemo(() => ({ ...stateKey, endUserId }), [stateKey, endUserId]);
  const history = useInfiniteQuery(saveHistoryQuery(key));
  const items = useMemo(() => history.data?.pages.flatMap((page) => page.items) ?? [], [history.data]);
  if (isMissing(history.error)) return <NotFound />;
  return (
    <div className="history-page">
      <Link to="/p/$slug/$env/players/$playerId" params={{ slug, env, playerId: endUserId }} className="back-link">
        <ArrowLeft aria-hidden="true" />
        {p.backToPlayer}
      </Link>
      <PageHeader title={endUserId} lead={<EnvironmentSwitch />} />
      <Fault error={history.error} onRetry={() => void history.refetch()} />
      {history.isPending && <Skeleton rows={10} />}
      {history.data !== undefined && items.length === 0 && (
        <EmptyState icon={<Clock />} title={p.noHistory}>
          {p.noHistoryText}
        </EmptyState>
      )}
      {items.length > 0 && <SaveVersions key={`${slug}/${env}`} saveKey={key} items={items} history={history} />}
    </div>
  );
}

type History = ReturnType<typeof useInfiniteQuery>;

interface SaveVersionsProps {
  readonly saveKey: SaveKey;
  readonly items: Parameters<typeof Timeline>[0]['items'];
  readonly history: Pick<History, 'hasNextPage' | 'isFetchingNextPage'> & { readonly fetchNextPage: () => unknown };
}

function SaveVersions({ saveKey, items, history }: SaveVersionsProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { slug, env, endUserId } = saveKey;
  const own = useAuthority();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/p/$slug/$env/players/$playerId/history' });
  // What restoring is made from: the save as it was when the page was opened.
  const opened = useQuery(openingSaveQuery('restoring', saveKey));
  const current = items[0]?.version ?? 0;
  const version = search.version ?? current;
  // Versions that follow each other may have others between them that are not kept.
  const older = items.find((item) => item.version < version)?.version ?? 0;
  const from = search.from ?? older;
  const to = useQuery(saveVersionQuery(saveKey, useSettled(version)));
  const before = useQuery(saveVersionQuery(saveKey, useSettled(from)));
  const source = useMemo(
    (): VersionSource => ({ read: (one, signal) => readSaveVersion(saveKey, one, signal), cheapCount: 0 }),
    [saveKey],
  );
  const choose = (next: { version?: number; from?: number }) =>
    void navigate({
      to: '/p/$slug/$env/players/$playerId/history',
      params: { slug, env, playerId: endUserId },
      search: next,
    });
  const restore = (record: StateRecord, onClose: () => void) =>
    opened.data && (
      <WriteSave
        saveKey={saveKey}
        opened={opened.data.record}
        mine={record.state}
        title={t.history.restoreTitle(record.version)}
        text={p.restoreText}
        action={t.history.restore}
        comment={t.history.restoreComment(record.version)}
        onClose={onClose}
        onWritten={() => {
          onClose();
          void opened.refetch();
          choose({});
        }}
      />
    );
  return (
    <div className="history">
      <Timeline
        items={items}
        selected={version}
        hasMore={history.hasNextPage}
        isLoading={history.isFetchingNextPage}
        onMore={() => void history.fetchNextPage()}
        onSelect={(next) => choose({ version: next })}
        source={source}
      />
      <Comparison
        to={to}
        before={before}
        version={version}
        from={from}
        current={current}
        onFrom={(next) => choose({ version, from: next })}
        firstLabel={version > 1 ? p.notKept : undefined}
        restore={may(own, 'write_saves', env) ? restore : undefined}
      />
    </div>
  );
}
