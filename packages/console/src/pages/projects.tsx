/** The projects of the account. */
import type { ProjectBody } from '@holdfast/contract';
import { slugCharactersMax, slugPattern } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Boxes, ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../shell/session.tsx';
import { formatDate, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, EmptyState, PageHeader } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { monogramOf, Plain } from '../ui/plain.tsx';

export function ProjectsPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const navigate = useNavigate();
  const isNew = useRouterState({ select: ({ location }) => location.hash === 'new' });
  const projects = useQuery(projectsQuery(accountId));
  const newButton = (
    <Button kind="primary" icon={<Plus />} onClick={() => void navigate({ to: '/', hash: 'new' })}>
      {t.nav.newProject}
    </Button>
  );
  return (
    <div className="page">
      <PageHeader title={t.projects.title} lead={t.projects.lead}>
        {projects.data?.length !== 0 && newButton}
      </PageHeader>
      <Loaded query={projects} rows={5}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<Boxes />} title={t.projects.empty} action={newButton}>
              {t.projects.emptyText}
            </EmptyState>
          ) : (
            <ul className="cards">
              {all.map((project) => (
                <ProjectCard key={project.slug} project={project} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewProject isOpen={isNew} onClose={() => void navigate({ to: '/', replace: true })} />
    </div>
  );
}

function ProjectCard({ project: { slug, name, createdAt } }: { project: ProjectBody }) {
  const t = useTexts();
  return (
    <li>
      <Link className="card card-link" to="/p/$slug/$env/state" params={{ slug, env: lastEnvironment() }}>
        <span className="monogram" aria-hidden="true">
          {monogramOf(name)}
        </span>
        <span className="card-text">
          <b>
            <Plain>{name}</Plain>
          </b>
          <code className="cut">{slug}</code>
          <small>{t.projects.created(formatDate(createdAt))}</small>
        </span>
        <ChevronRight aria-hidden="true" />
      </Link>
    </li>
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
  const slug = typedSlug ?? slugOf(name);
  const isMalformed = slug !== '' && (slug.length > slugCharactersMax || !slugPattern.test(slug));
  const isReady = slug !== '' && !isMalformed;
  const create = useAction(async () => {
    if (!isReady) return;
    const body = { slug, ...(name.trim() !== '' && { name: name.trim() }) };
    await call('createProject', { params: { accountId }, body });
    await queries.invalidateQueries(projectsQuery(accountId));
    await navigate({ to: '/p/$slug/connect', params: { slug } });
  });
  const isTaken = create.fault instanceof ApiError && create.fault.code === 'already_exists';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.projects.newTitle}>
      <Form action={create}>
        <TextField label={t.projects.name} hint={t.projects.nameHint} value={name} onChange={setName} maxLength={200} />
        <TextField
          label={t.projects.slug}
          hint={t.projects.slugHint}
          fault={isTaken ? t.projects.taken : isMalformed ? t.projects.slugFault : undefined}
          className="mono"
          value={slug}
          onChange={setSlug}
          spellCheck={false}
          required
        />
        {!isTaken && <Fault error={create.fault} />}
        <FormEnd action={create} label={t.common.create} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
