/** Where one can go: the project, its environments and pages, and the account. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import {
  BookOpen,
  ChevronsUpDown,
  Clock,
  FileBraces,
  Gauge,
  GitCompareArrows,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  Plug,
  Search,
  Settings,
  Settings2,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { baseUrl } from '../api/addresses.ts';
import { lastEnvironment, rememberEnvironment } from '../api/environments.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { commandKey } from '../ui/command-key.ts';
import { EnvironmentName } from '../ui/controls.tsx';
import { Mark } from '../ui/mark.tsx';
import { useAccountId } from './session.tsx';
import { Whose } from './whose.tsx';

const loadMenus = () => import('./menus.tsx');
const ProjectMenu = lazy(async () => ({ default: (await loadMenus()).ProjectMenu }));
const PreferencesMenu = lazy(async () => ({ default: (await loadMenus()).PreferencesMenu }));

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const t = useTexts();
  const { slug } = useParams({ strict: false });
  return (
    <>
      <Link to="/" className="wordmark">
        <Mark />
        Holdfast
      </Link>
      <button type="button" className="search-button" onClick={onSearch}>
        <Search aria-hidden="true" />
        <span>{t.nav.search}</span>
        <kbd>{`${commandKey}K`}</kbd>
      </button>
      <ProjectButton />
      <nav aria-label={t.nav.main}>
        {slug !== undefined && <ProjectNav slug={slug} />}
        <ul className="nav-end">
          {slug === undefined && (
            <li>
              <Link to="/" activeOptions={{ exact: true }}>
                <LayoutGrid aria-hidden="true" />
                {t.nav.projects}
              </Link>
            </li>
          )}
          <li>
            <Link to="/usage">
              <Gauge aria-hidden="true" />
              {t.nav.usage}
            </Link>
          </li>
          <li>
            <Link to="/account">
              <UserRound aria-hidden="true" />
              {t.nav.account}
            </Link>
          </li>
          <li>
            <a href={`${baseUrl}/docs`} target="_blank" rel="noreferrer">
              <BookOpen aria-hidden="true" />
              {t.nav.docs}
            </a>
          </li>
        </ul>
      </nav>
      <MenuButton kind="preferences" className="preferences-button">
        <Settings2 aria-hidden="true" />
        {t.nav.preferences}
      </MenuButton>
      <Whose />
    </>
  );
}

function ProjectNav({ slug }: { slug: string }) {
  const t = useTexts();
  const { env: wanted } = useParams({ strict: false });
  const env = wanted ?? lastEnvironment();
  useEffect(() => rememberEnvironment(env), [env]);
  const item = (Icon: LucideIcon, label: string, link: (content: ReactNode) => ReactNode) => (
    <li key={label}>
      {link(
        <>
          <Icon aria-hidden="true" />
          {label}
        </>,
      )}
    </li>
  );
  const params = { slug, env };
  return (
    <>
      <Environments slug={slug} env={env} />
      <ul>
        {item(FileBraces, t.nav.state, (content) => (
          <Link to="/p/$slug/$env/state" params={params}>
            {content}
          </Link>
        ))}
        {item(Clock, t.nav.history, (content) => (
          <Link to="/p/$slug/$env/history" params={params}>
            {content}
          </Link>
        ))}
        {item(Users, t.nav.players, (content) => (
          <Link to="/p/$slug/$env/players" params={params}>
            {content}
          </Link>
        ))}
      </ul>
      <h2 className="nav-title">{t.nav.project}</h2>
      <ul>
        {item(GitCompareArrows, t.nav.environments, (content) => (
          <Link to="/p/$slug/environments" params={{ slug }}>
            {content}
          </Link>
        ))}
        {item(KeyRound, t.nav.keys, (content) => (
          <Link to="/p/$slug/keys" params={{ slug }}>
            {content}
          </Link>
        ))}
        {item(ShieldCheck, t.nav.signIn, (content) => (
          <Link to="/p/$slug/sign-in" params={{ slug }}>
            {content}
          </Link>
        ))}
        {item(Plug, t.nav.connect, (content) => (
          <Link to="/p/$slug/connect" params={{ slug }}>
            {content}
          </Link>
        ))}
        {item(Settings, t.nav.settings, (content) => (
          <Link to="/p/$slug/settings" params={{ slug }}>
            {content}
          </Link>
        ))}
      </ul>
    </>
  );
}

function Environments({ slug, env }: { slug: string; env: Environment }) {
  const t = useTexts();
  const navigate = useNavigate();
  const page = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] });
  const go = (next: Environment) => {
    rememberEnvironment(next);
    const to = page === 'history' || page === 'players' ? (`/p/$slug/$env/${page}` as const) : '/p/$slug/$env/state';
    void navigate({ to, params: { slug, env: next } });
  };
  return (
    <fieldset className="environments">
      <legend>{t.nav.environment}</legend>
      {environments.map((name) => (
        <label key={name}>
          <input type="radio" name="environment" className="hidden-text" checked={name === env} onChange={() => go(name)} />
          <EnvironmentName env={name} />
        </label>
      ))}
    </fieldset>
  );
}

/**
 * A button whose menu is loaded when it is first opened: until then the page needs none of its script. Pointing at the button is
 * enough to fetch it.
 */
function MenuButton(props: { kind: 'project' | 'preferences'; children: ReactNode; className: string }) {
  const [isWanted, setWanted] = useState(false);
  const { kind, children, className } = props;
  const button = (
    <button
      type="button"
      className={className}
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={() => void loadMenus()}
      onFocus={() => void loadMenus()}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      {kind === 'project' ? (
        <ProjectMenu className={className}>{children}</ProjectMenu>
      ) : (
        <PreferencesMenu className={className}>{children}</PreferencesMenu>
      )}
    </Suspense>
  );
}

function ProjectButton() {
  const t = useTexts();
  const accountId = useAccountId();
  const { slug } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery(accountId));
  const name = projects.find((project) => project.slug === slug)?.name ?? slug ?? t.nav.projects;
  return (
    <MenuButton kind="project" className="project-button">
      <span className="monogram" aria-hidden="true">
        {slug === undefined ? <LayoutGrid /> : [...name][0]?.toUpperCase()}
      </span>
      <span className="project-name">
        <bdi>{name}</bdi>
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </MenuButton>
  );
}
