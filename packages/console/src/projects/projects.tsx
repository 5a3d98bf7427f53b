/** The projects of the account, recently opened ones first, then the most used. */
import type { ProjectBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Boxes, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { useProjectsByUse } from '../api/projects-by-use.ts';
import { projectsQuery } from '../api/queries.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { Button, EmptyState } from '../ui/controls.tsx';
import { Choice, Filters, SearchField } from '../ui/filters.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { NewProject } from './new-project.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectTable } from './project-table.tsx';
import './project-card.css';

const sorts = ['use', 'name', 'created'] as const;
type Sort = (typeof sorts)[number];

/** Up to this many projects, there is no search. */
const unfilteredMax = 8;
/** More are rows of a table. */
const cardsMax = 12;
const useHasCardRoom = wideWindow(641);

export function ProjectsPage() {
  const t = useTexts();
  const accountId = useAccountId();
  const navigate = useNavigate();
  const isNew = useRouterState({ select: ({ location }) => location.hash === 'new' });
  const projects = useQuery(projectsQuery(accountId));
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort>('use');
  const count = projects.data?.length ?? 0;
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
      {count > unfilteredMax && (
        <Filters>
          <SearchField label={t.projects.find} value={typed} onChange={setTyped} />
          <Choice
            label={t.projects.sort}
            isLabelShown
            value={sort}
            onChange={setSort}
            options={sorts.map((value) => ({ value, label: t.projects.sorts[value] }))}
          />
        </Filters>
      )}
      <Loaded query={projects} rows={5}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<Boxes />} title={t.projects.empty} action={newButton}>
              {t.projects.emptyText}
            </EmptyState>
          ) : (
            <Found text={typed} sort={sort} />
          )
        }
      </Loaded>
      <NewProject isOpen={isNew} onClose={() => void navigate({ to: '/', replace: true })} />
    </div>
  );
}

/** Projects come in order of use; other orders are made of it. */
const orders: Readonly<Record<Sort, (one: ProjectBody, other: ProjectBody) => number>> = {
  use: () => 0,
  name: (one, other) => one.name.localeCompare(other.name),
  created: (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt),
};

function Found({ text, sort }: { text: string; sort: Sort }) {
  const t = useTexts();
  const isNarrow = !useHasCardRoom();
  const ordered = useProjectsByUse(useAccountId());
  const wanted = text.trim().toLocaleLowerCase();
  const found = ordered
    .filter(({ name, slug }) => `${name} ${slug}`.toLocaleLowerCase().includes(wanted))
    .sort(orders[sort]);
  if (found.length === 0) {
    return (
      <EmptyState icon={<Search />} title={t.projects.noMatch}>
        {t.projects.noMatchText}
      </EmptyState>
    );
  }
  if (isNarrow || ordered.length > cardsMax) return <ProjectTable projects={found} />;
  return (
    <ul className="cards">
      {found.map((project) => (
        <ProjectCard key={project.slug} project={project} />
      ))}
    </ul>
  );
}
