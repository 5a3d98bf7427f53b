/** The document of an environment: see it, change it, save it. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FileBraces } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { StateKey } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useAccountId } from '../shell/session.tsx';
import { useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { StateEditor } from './state-editor.tsx';
import { openDocument } from './use-document.ts';

export function StatePage() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug, env } = useParams({ from: '/shell/p/$slug/$env/state' });
  useTitle(`${t.state.title} · ${t.environments[env]} · ${slug}`);
  return <Opened key={`${accountId}/${slug}/${env}`} accountId={accountId} slug={slug} env={env} />;
}

function Opened({ accountId, slug, env }: StateKey) {
  const t = useTexts();
  const key = useMemo(() => ({ accountId, slug, env }), [accountId, slug, env]);
  const [isStarted, setStarted] = useState(false);
  const opening = useQuery({
    queryKey: ['opening', accountId, slug, env],
    queryFn: () => openDocument(key),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (isMissing(opening.error)) return <NotFound />;
  if (opening.data === undefined) {
    return (
      <div className="page">
        <PageHeader title={t.state.title} lead={<EnvironmentName env={env} />} />
        {opening.error ? <Fault error={opening.error} onRetry={() => void opening.refetch()} /> : <Skeleton rows={10} />}
      </div>
    );
  }
  const { stored, draft } = opening.data;
  if (stored === null && draft === undefined && !isStarted) {
    return (
      <div className="page">
        <PageHeader title={t.state.title} lead={<EnvironmentName env={env} />} />
        <EmptyState
          icon={<FileBraces />}
          title={t.state.empty}
          action={
            <Button kind="primary" onClick={() => setStarted(true)}>
              {t.state.start}
            </Button>
          }
        >
          {t.state.emptyText}
        </EmptyState>
      </div>
    );
  }
  return <StateEditor stateKey={key} opening={opening.data} />;
}
