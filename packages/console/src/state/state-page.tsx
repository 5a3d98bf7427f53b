/** Shows, edits and saves the document of an environment; its history opens beside it. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useSearch } from '@tanstack/react-router';
import { FileBraces } from 'lucide-react';
import { useState } from 'react';
import { openingQuery } from '../api/queries.ts';
import { type StateKey, stateKeyName } from '../api/state.ts';
import { WithDocumentHints } from '../fields/document-hints.tsx';
import { openDocument, openProposal } from '../open-text/open-document.ts';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useStateKey } from '../page/route-params.ts';
import { useTexts, withTexts } from '../texts/index.ts';
import { Button, EmptyState, Skeleton } from '../ui/controls.tsx';
import { NotLoaded } from '../ui/fault.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { StateEditor } from './state-editor.tsx';
import '../ui/editor-page.css';

// The editor is loaded while the document is read.
void withTexts(import('../editor/code-editor.tsx')).catch(() => undefined);

export function StatePage() {
  const key = useStateKey();
  const { proposal } = useSearch({ strict: false });
  return (
    <WithDocumentHints schemaKey={{ ...key, kind: 'public-state' }}>
      <div className="with-drawer">
        <Opened key={`${stateKeyName(key)} ${proposal}`} stateKey={key} proposalId={proposal} />
        <Outlet />
      </div>
    </WithDocumentHints>
  );
}

function Opened({ stateKey, proposalId }: { stateKey: StateKey; proposalId: string | undefined }) {
  const t = useTexts();
  const [isStarted, setStarted] = useState(false);
  const opening = useQuery(
    proposalId === undefined
      ? openingQuery('editing', stateKey, openDocument)
      : openingQuery(`editing ${proposalId}`, stateKey, (key) => openProposal(key, proposalId)),
  );
  if (isMissing(opening.error)) return <NotFound />;
  if (opening.data === undefined) {
    return (
      <div className="page">
        <PageHeader kind="configuration" title={t.state.title} lead={<EnvironmentSwitch />} />
        {opening.error ? (
          <NotLoaded error={opening.error} onRetry={() => void opening.refetch()} />
        ) : (
          <Skeleton rows={10} />
        )}
      </div>
    );
  }
  const { stored, draft } = opening.data;
  if (stored === null && draft === undefined && !isStarted) {
    return (
      <div className="page">
        <PageHeader kind="configuration" title={t.state.title} lead={<EnvironmentSwitch />} />
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
  return <StateEditor stateKey={stateKey} opening={opening.data} />;
}
