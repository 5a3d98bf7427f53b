/** The projects of the account. */
import type { ProjectBody } from '@holdfast/contract';
import { slugCharactersMax, slugPattern } from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Boxes, ChevronRight, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { ApiError, addressOf, call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../shell/session.tsx';
import { formatDate, useTexts } from '../texts/index.ts';
import { Button, EmptyState, Field, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';

export function ProjectsPage() {
  const t = useTexts();
  useTitle(t.projects.title);
  const accountId = useAccountId();
  const navigate = useNavigate();
  const isNew = useRouterState({ select: ({ location }) => location.hash === 'new' });
  const projects = useQuery(projectsQuery(accountId));
  const open = () => void navigate({ to: '/', hash: 'new' });
  return (
    <div className="page">
      <PageHeader title={t.projects.title} lead={t.projects.lead}>
        {projects.data?.length !== 0 && (
          <Button kind="primary" icon={<Plus />} onClick={open}>
            {t.nav.newProject}
          </Button>
        )}
      </PageHeader>
      <Fault error={projects.error} onRetry={() => void projects.refetch()} />
      {projects.isPending && <Skeleton rows={5} />}
      {projects.data?.length === 0 && (
        <EmptyState
          icon={<Boxes />}
          title={t.projects.empty}
          action={
            <Button kind="primary" icon={<Plus />} onClick={open}>
              {t.nav.newProject}
            </Button>
          }
        >
          {t.projects.emptyText}
        </EmptyState>
      )}
      {projects.data !== undefined && projects.data.length > 0 && (
        <ul className="cards">
          {projects.data.map((project) => (
            <li key={project.slug}>
              <Link
                className="card card-link"
                to="/p/$slug/$env/state"
                params={{ slug: project.slug, env: lastEnvironment() }}
              >
                <span className="monogram" aria-hidden="true">
                  {[...project.name][0]?.toUpperCase()}
                </span>
                <span className="card-text">
                  <b>
                    <bdi>{project.name}</bdi>
                  </b>
                  <code>{project.slug}</code>
                  <small>{t.projects.created(formatDate(project.createdAt))}</small>
                </span>
                <ChevronRight aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <NewProject isOpen={isNew} onClose={() => void navigate({ to: '/', replace: true })} />
    </div>
  );
}

/** A slug as it could be for a name. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharactersMax)
    .replaceAll(/^-|-$/g, '');

function NewProject({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts();
  const accountId = useAccountId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [typedSlug, setSlug] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const slug = typedSlug ?? slugOf(name);
  const isTaken = fault instanceof ApiError && fault.code === 'already_exists';
  const isMalformed = slug !== '' && (slug.length > slugCharactersMax || !slugPattern.test(slug));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || slug === '' || isMalformed) return;
    setBusy(true);
    setFault(undefined);
    try {
      const body = { slug, ...(name.trim() !== '' && { name: name.trim() }) };
      await call<ProjectBody>('POST', addressOf('/v1/{accountId}/projects', { accountId }), { body });
      await queries.invalidateQueries({ queryKey: ['projects', accountId] });
      await navigate({ to: '/p/$slug/connect', params: { slug } });
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.projects.newTitle}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label={t.projects.name} hint={t.projects.nameHint}>
          {(attributes) => (
            <input {...attributes} value={name} onChange={(event) => setName(event.target.value)} maxLength={200} />
          )}
        </Field>
        <Field
          label={t.projects.slug}
          hint={t.projects.slugHint}
          fault={isTaken ? t.projects.taken : isMalformed ? t.projects.slugFault : undefined}
        >
          {(attributes) => (
            <input
              {...attributes}
              className="mono"
              value={slug}
              onChange={(event) => setSlug(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              required
            />
          )}
        </Field>
        {!isTaken && <Fault error={fault} />}
        <div className="form-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={slug === '' || isMalformed}>
            {t.common.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
