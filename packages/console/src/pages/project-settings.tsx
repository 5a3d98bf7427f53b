/** The project: its name, and its end. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf, send } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { NotFound } from '../shell/not-found.tsx';
import { useAccountId } from '../shell/session.tsx';
import { formatDate, useTexts } from '../texts/index.ts';
import { Button, CopyButton, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { toast } from '../ui/toasts.tsx';
import { Rename } from './account.tsx';

export function ProjectSettingsPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug } = useParams({ from: '/shell/p/$slug/settings' });
  useTitle(`${t.settings.title} · ${slug}`);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery(accountId));
  const [isDeleting, setDeleting] = useState(false);
  const project = projects.data?.find((one) => one.slug === slug);
  const address = addressOf('/v1/{accountId}/projects/{slug}', { accountId, slug });
  if (projects.data !== undefined && project === undefined) return <NotFound />;
  return (
    <div className="page narrow">
      <PageHeader title={t.settings.title} />
      <Fault error={projects.error} onRetry={() => void projects.refetch()} />
      {project === undefined ? (
        <Skeleton rows={5} />
      ) : (
        <>
          <section className="card">
            <h2>{t.settings.general}</h2>
            <Rename
              label={t.settings.name}
              name={project.name}
              address={address}
              done={t.settings.renamed}
              queryKey={['projects', accountId]}
            />
            <dl className="facts">
              <div>
                <dt>{t.settings.slug}</dt>
                <dd>
                  <code>{slug}</code>
                  <CopyButton text={slug} size="small" />
                  <small className="hint">{t.settings.slugHint}</small>
                </dd>
              </div>
              <div>
                <dt>{t.account.since}</dt>
                <dd>{formatDate(project.createdAt)}</dd>
              </div>
            </dl>
          </section>
          <section className="card danger-zone">
            <div>
              <h2>{t.settings.danger}</h2>
              <p>{t.settings.dangerText}</p>
            </div>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {t.settings.danger}
            </Button>
          </section>
          <Confirm
            isOpen={isDeleting}
            onClose={() => setDeleting(false)}
            title={t.settings.danger}
            text={t.settings.dangerText}
            action={t.settings.danger}
            typed={slug}
            onConfirm={async () => {
              await send('DELETE', address);
              toast(t.settings.deleted);
              await navigate({ to: '/' });
              await queries.invalidateQueries({ queryKey: ['projects', accountId] });
            }}
          />
        </>
      )}
    </div>
  );
}
