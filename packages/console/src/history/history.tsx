/** The versions of a document, in a drawer beside it: author, time, comment, changes, and restoring. */
import { environments } from '@holdfast/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Clock } from 'lucide-react';
import { useMemo } from 'react';
import { isEnvironment } from '../api/environments.ts';
import { comingQuery } from '../api/proposals.ts';
import { historyQuery, versionBeforeQuery, versionQuery } from '../api/queries.ts';
import { keyOf } from '../api/query-key.ts';
import { recentVersionsMax, versionReader } from '../api/recent-versions.ts';
import { useShownDocument } from '../editor/document-view.ts';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { isMissing } from '../page/not-found.tsx';
import { useStateKey } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { EmptyState, Skeleton } from '../ui/controls.tsx';
import { useDebounced } from '../ui/debounced.ts';
import { Fault } from '../ui/fault.tsx';
import { SideDrawer } from '../ui/side-drawer.tsx';
import { useComparedDocument } from './compared-document.ts';
import type { Picked } from './document-picker.tsx';
import { Restore } from './history-restore.tsx';
import { VersionBrowser } from './version-browser.tsx';
import { useVersionList } from './version-list.ts';

export function HistoryPage() {
  const t = useTexts();
  const key = useStateKey();
  const { slug, env } = key;
  const search = useSearch({ from: '/shell/configuration/p/$slug/$env/history' });
  const navigate = useNavigate();
  const history = useInfiniteQuery(historyQuery(key));
  const items = useMemo(() => history.data?.pages.flatMap((page) => page.items) ?? [], [history.data]);
  const current = items[0]?.version ?? 0;
  const source = useMemo(
    () => ({ key: keyOf('listPublicStateHistory', key), read: versionReader(key, current), cheapCount: recentVersionsMax }),
    [key, current],
  );
  const list = useVersionList({ items, hasMore: history.hasNextPage, source, path: search.path, chosen: search.version });
  const version = list.shown ?? 0;
  const chosenFrom = version === search.version ? search.from : undefined;
  const listedFrom = items.find((item) => item.version < version)?.version;
  // Until it is known, most likely the next lower number.
  const { data: older = version - 1 } = useQuery(versionBeforeQuery(key, listedFrom === undefined ? version : 0));
  const from = chosenFrom ?? listedFrom ?? older;
  const [shownVersion, shownFrom] = [useDebounced(version), useDebounced(from)];
  const to = useQuery(versionQuery(key, shownVersion));
  const picked = pickedIn(search.with, from);
  const compared = useComparedDocument(key, 'version' in picked ? { version: shownFrom } : picked);
  const { data: coming } = useQuery({ ...comingQuery(key), refetchInterval: false });
  const below = useShownDocument();
  const choose = (next: { version?: number; from?: number; with?: string }) => {
    const kept = { ...below, ...(search.path !== undefined && { path: search.path }) };
    void navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: { ...kept, ...next } });
  };
  const close = () => void navigate({ to: '/p/$slug/$env/state', params: { slug, env }, search: below });
  if (isMissing(history.error)) return null;
  return (
    <SideDrawer title={t.history.title} lead={<EnvironmentSwitch />} onClose={close}>
      <Fault error={history.error} onRetry={() => void history.refetch()} />
      {history.isPending && <Skeleton rows={10} />}
      {history.data !== undefined && items.length === 0 && (
        <EmptyState icon={<Clock />} title={t.history.empty}>
          {t.history.emptyText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <VersionBrowser
          key={`${slug}/${env}`}
          list={list}
          history={history}
          to={to}
          before={compared}
          other={compared.name}
          from={from}
          others={{
            value: picked,
            environments: environments.filter((one) => one !== env),
            proposals: coming?.open ?? [],
            onPick: (next) => choose({ version, ...addressOf(next) }),
          }}
          isNarrow
          restore={(step, onClose) => <Restore stateKey={key} step={step} onClose={onClose} />}
          onChoose={choose}
        />
      )}
    </SideDrawer>
  );
}

/** What an address names beside the version: an environment or a proposal, otherwise an earlier version. */
function pickedIn(other: string | undefined, from: number): Picked {
  if (other === undefined) return { version: from };
  return isEnvironment(other) ? { env: other } : { proposal: other };
}

function addressOf(picked: Picked): { from?: number; with?: string } {
  if ('version' in picked) return { from: picked.version };
  return { with: 'env' in picked ? picked.env : picked.proposal };
}
