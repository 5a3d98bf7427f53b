/** Navigation: the project, its environments and pages, and the account. */
import { useQuery } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, CircleUser, LayoutGrid, Menu, Search, Settings2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { rememberEnvironment } from '../api/environments.ts';
import { projectsQuery } from '../api/queries.ts';
import { rememberProject } from '../api/recent-projects.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useEnvironment, usePageEnvironment } from '../page/route-params.ts';
import { useTexts, withTexts } from '../texts/index.ts';
import { useCommandKey } from '../ui/command-key.ts';
import { Button, EnvironmentName } from '../ui/controls.tsx';
import { Mark } from '../ui/mark.tsx';
import { Plain } from '../ui/plain.tsx';
import { ProjectMark } from '../ui/project-mark.tsx';
import { useSidebarSlug } from './known-slug.ts';
import { accountPages, type PageLink } from './pages.tsx';
import { accountEntries, projectEntries } from './sections.ts';
import { SessionHolder } from './session-holder.tsx';
import './sidebar.css';

const loadMenus = () => withTexts(import('./menus.tsx'));
const loadProjectMenu = () => withTexts(import('./project-menu.tsx'));
const ProjectMenu = lazy(async () => ({ default: (await loadProjectMenu()).ProjectMenu }));
const AccountMenu = lazy(async () => ({ default: (await loadMenus()).AccountMenu }));
const PreferencesMenu = lazy(async () => ({ default: (await loadMenus()).PreferencesMenu }));
const menus = { project: ProjectMenu, account: AccountMenu, preferences: PreferencesMenu } as const;

interface SidebarProps {
  readonly onSearch: () => void;
  /** Opens the drawer with all names. Narrow windows show its button, and the names of the rest as tooltips. */
  readonly onMenu?: () => void;
}

export function Sidebar({ onSearch, onMenu }: SidebarProps) {
  const t = useTexts();
  const slug = useSidebarSlug();
  const currentOf = useCurrent();
  const commandKey = useCommandKey();
  return (
    <>
      <Link to="/" className="wordmark">
        <Mark />
        <span className="nav-name">Holdfast</span>
      </Link>
      {onMenu && (
        <Button
          kind="quiet"
          className="rail-menu"
          icon={<Menu />}
          aria-label={t.nav.menu}
          title={t.nav.menu}
          aria-haspopup="dialog"
          onClick={onMenu}
        />
      )}
      <button type="button" className="search-button" onClick={onSearch}>
        <Search aria-hidden="true" />
        <span className="nav-name">{t.nav.search}</span>
        <kbd>{`${commandKey}K`}</kbd>
      </button>
      <ProjectButton />
      <nav aria-label={t.nav.main}>
        {slug !== undefined && <ProjectNav slug={slug} />}
        <ul className="nav-end">
          {accountEntries
            .filter(({ page }) => slug === undefined || page.path !== accountPages.projects.path)
            .map(({ page: { path, link }, paths }) => (
              <li key={path}>
                <Link to={path} activeOptions={{ exact: path === '/' }} aria-current={currentOf(paths)}>
                  <PageName link={link} />
                </Link>
              </li>
            ))}
          <li>
            <a href={`${baseUrl}/docs`} target="_blank" rel="noreferrer">
              <BookOpen aria-hidden="true" />
              <span className="nav-name">{t.nav.docs}</span>
            </a>
          </li>
        </ul>
      </nav>
      <MenuButton kind="preferences" className="preferences-button">
        <Settings2 aria-hidden="true" />
        <span className="nav-name">{t.nav.preferences}</span>
      </MenuButton>
      <MenuButton kind="account" className="account-button">
        <CircleUser className="rail-icon" aria-hidden="true" />
        <SessionHolder />
        <ChevronsUpDown aria-hidden="true" />
      </MenuButton>
    </>
  );
}

/** Returns the mark of an entry that contains the current page. */
function useCurrent(): (paths: readonly string[]) => 'page' | undefined {
  const current = useMatches().at(-1)?.fullPath;
  return (paths) => (current !== undefined && paths.includes(current) ? 'page' : undefined);
}

function ProjectNav({ slug }: { slug: string }) {
  const currentOf = useCurrent();
  const t = useTexts();
  const env = useEnvironment();
  const shown = usePageEnvironment();
  const accountId = useAccountId();
  useEffect(() => rememberEnvironment(env), [env]);
  const { data: projects } = useQuery(projectsQuery(accountId));
  const exists = projects?.some((project) => project.slug === slug) ?? false;
  useEffect(() => {
    if (exists) rememberProject(accountId, slug);
  }, [accountId, slug, exists]);
  return (
    <>
      <h2 className="nav-title">{shown === undefined ? t.nav.allEnvironments : <EnvironmentName env={shown} />}</h2>
      <ul>
        {projectEntries.map(({ page: { path, link }, paths }) => (
          <li key={path}>
            <Link to={path} params={{ slug, env }} aria-current={currentOf(paths)}>
              <PageName link={link} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function PageName({ link: { icon: Icon, name } }: { link: PageLink }) {
  const t = useTexts();
  return (
    <>
      {Icon && <Icon aria-hidden="true" />}
      <span className="nav-name">{name(t)}</span>
    </>
  );
}

/**
 * A button whose menu is loaded when it is first opened, so that the page does not need its script. Pointing at the button prefetches it.
 */
function MenuButton(props: { kind: keyof typeof menus; children: ReactNode; className: string }) {
  const [isWanted, setWanted] = useState(false);
  const { kind, children, className } = props;
  const load = kind === 'project' ? loadProjectMenu : loadMenus;
  const button = (
    <button
      type="button"
      className={className}
      aria-haspopup={kind === 'project' ? 'dialog' : 'menu'}
      aria-expanded="false"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  );
  if (!isWanted) return button;
  const MenuOfKind = menus[kind];
  return (
    <Suspense fallback={button}>
      <MenuOfKind className={className}>{children}</MenuOfKind>
    </Suspense>
  );
}

function ProjectButton() {
  const t = useTexts();
  const accountId = useAccountId();
  const slug = useSidebarSlug();
  const { data: projects = [] } = useQuery(projectsQuery(accountId));
  const name = projects.find((project) => project.slug === slug)?.name ?? slug ?? t.nav.projects;
  return (
    <MenuButton kind="project" className="project-button">
      {slug === undefined ? (
        <span className="monogram" aria-hidden="true">
          <LayoutGrid />
        </span>
      ) : (
        <ProjectMark project={{ accountId, slug }} name={name} />
      )}
      <span className="project-name cut">
        <Plain>{name}</Plain>
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </MenuButton>
  );
}
