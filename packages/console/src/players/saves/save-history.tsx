/** The kept versions of a player's state: author, time, comment, changes, and restoring. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Clock } from 'lucide-react';
import { useMemo } from 'react';
import { may, useAuthority } from '../../api/authority.ts';
import { openingUserStateQuery, playerQuery, userStateHistoryQuery, userStateVersionQuery } from '../../api/players.ts';
import { queryClient } from '../../api/queries.ts';
import { keyOf } from '../../api/query-key.ts';
import type { UserStateKey } from '../../api/state.ts';
import { WithDocumentHints } from '../../fields/document-hints.tsx';
import type { StepBack } from '../../history/history-restore.tsx';
import type { VersionSource } from '../../history/path-search.ts';
import { VersionBrowser } from '../../history/version-browser.tsx';
import { useVersionList } from '../../history/version-list.ts';
import { EnvironmentSwitch } from '../../page/environment-switch.tsx';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { textsOf } from '../../texts/index.ts';
import type { ListedVersion } from '../../ui/authors.ts';
import { EmptyState, Skeleton } from '../../ui/controls.tsx';
import { useDebounced } from '../../ui/debounced.ts';
import { Fault } from '../../ui/fault.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Plain } from '../../ui/plain.tsx';
import { saveSchemaKey, usePlayerKey } from '../player-key.ts';
import { playerName } from '../player-name.tsx';
import { StepBackInSave } from './step-back.tsx';
import '../../history/history.css';

const [usePlayerTexts] = textsOf('players');

export function SaveHistoryPage() {
  const p = usePlayerTexts();
  const { endUserId } = usePlayerKey();
  const stateKey = useStateKey();
  const { slug, env } = stateKey;
  const key = useMemo(() => ({ ...stateKey, endUserId }), [stateKey, endUserId]);
  const { data: player } = useQuery(playerQuery(usePlayerKey()));
  const name = player === undefined ? endUserId : playerName(player);
  const history = useInfiniteQuery(userStateHistoryQuery(key));
  const items = useMemo(() => history.data?.pages.flatMap((page) => page.items) ?? [], [history.data]);
  if (isMissing(history.error)) return <NotFound />;
  return (
    <div className="page wide history-page">
      <PageHeader
        title={p.historyTitle}
        back={
          <Link
            to="/p/$slug/$env/players/$playerId"
            params={{ slug, env, playerId: endUserId }}
            className="back-link"
            title={p.backToPlayer}
          >
            <ArrowLeft aria-hidden="true" />
            <span>{p.backToPlayer}</span>
          </Link>
        }
        lead={
          <>
            <EnvironmentSwitch />
            <span className={name === endUserId ? 'mono' : undefined}>
              <Plain>{name}</Plain>
            </span>
          </>
        }
      />
      <Fault error={history.error} onRetry={() => void history.refetch()} />
      {history.isPending && <Skeleton rows={10} />}
      {history.data !== undefined && items.length === 0 && (
        <EmptyState icon={<Clock />} title={p.noHistory}>
          {p.noHistoryText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <WithDocumentHints schemaKey={saveSchemaKey(stateKey)}>
          <SaveVersions key={`${slug}/${env}`} saveKey={key} items={items} history={history} />
        </WithDocumentHints>
      )}
    </div>
  );
}

type History = ReturnType<typeof useInfiniteQuery>;

interface SaveVersionsProps {
  readonly saveKey: UserStateKey;
  readonly items: readonly ListedVersion[];
  readonly history: Pick<History, 'hasNextPage' | 'isFetchingNextPage'> & { readonly fetchNextPage: () => unknown };
}

function SaveVersions({ saveKey, items, history }: SaveVersionsProps) {
  const p = usePlayerTexts();
  const { slug, env, endUserId } = saveKey;
  const own = useAuthority();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/p/$slug/$env/players/$playerId/history' });
  // Restoring is based on the save at the time when the page was opened.
  const opened = useQuery(openingUserStateQuery('restoring', saveKey));
  const source = useMemo(
    (): VersionSource => ({
      key: keyOf('listPlayerStateHistory', saveKey),
      read: (one) => queryClient.fetchQuery(userStateVersionQuery(saveKey, one)),
      cheapCount: 0,
    }),
    [saveKey],
  );
  const list = useVersionList({ items, hasMore: history.hasNextPage, source, chosen: search.version });
  const version = list.shown ?? 0;
  // Between consecutive versions there may be others that are not kept.
  const older = items.find((item) => item.version < version)?.version ?? 0;
  const from = (version === search.version ? search.from : undefined) ?? older;
  const to = useQuery(userStateVersionQuery(saveKey, useDebounced(version)));
  const before = useQuery(userStateVersionQuery(saveKey, useDebounced(from)));
  const choose = (next: { version?: number; from?: number }) =>
    void navigate({
      to: '/p/$slug/$env/players/$playerId/history',
      params: { slug, env, playerId: endUserId },
      search: next,
    });
  const restore = (step: StepBack, onClose: () => void) =>
    opened.data && (
      <StepBackInSave
        saveKey={saveKey}
        opened={opened.data.record}
        step={step}
        onClose={onClose}
        onWritten={() => {
          onClose();
          void opened.refetch();
          choose({});
        }}
      />
    );
  return (
    <VersionBrowser
      list={list}
      history={history}
      to={to}
      before={before}
      from={from}
      firstLabel={version > 1 ? p.notKept : undefined}
      restore={may(own, 'write_saves', env) ? restore : undefined}
      onChoose={choose}
    />
  );
}
