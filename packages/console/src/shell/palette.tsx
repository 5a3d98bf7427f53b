/** The command palette: pages, projects and actions by name. */

import { Dialog as Base } from '@base-ui/react/dialog';
import { environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  Bot,
  CalendarDays,
  Clock,
  FileText,
  GitPullRequestArrow,
  KeyRound,
  Languages,
  LogIn,
  type LucideIcon,
  Monitor,
  Moon,
  Plug,
  Plus,
  Search,
  Sun,
  Webhook,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { recentPages } from '../api/recent-pages.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useSwitchEnvironment } from '../page/environment-switch.tsx';
import { useEnvironment } from '../page/route-params.ts';
import { setLanguage, setTheme, type Texts, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { ProjectMark } from '../ui/project-mark.tsx';
import { type Command, CommandList } from './command-list.tsx';
import { accountPages, environmentPages, linked, type PageLink, projectPages } from './pages.tsx';
import './palette.css';

/** Of pages that the sidebar shows under others. */
const icons: Readonly<Record<string, LucideIcon>> = {
  [accountPages.service.path]: Bot,
  [environmentPages.history.path]: Clock,
  [environmentPages.proposals.path]: GitPullRequestArrow,
  [projectPages.calendar.path]: CalendarDays,
  [projectPages.keys.path]: KeyRound,
  [projectPages.signIn.path]: LogIn,
  [projectPages.webhooks.path]: Webhook,
  [projectPages.connect.path]: Plug,
};

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="palette">
          <Base.Title className="hidden-text">{t.palette.title}</Base.Title>
          <Commands onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Commands({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  const [text, setText] = useState('');
  return (
    <CommandList
      commands={useCommands(text)}
      title={t.palette.title}
      placeholder={t.palette.placeholder}
      onText={setText}
      onRun={onClose}
    />
  );
}

/** Returns links to the pages last visited, without the shown one. */
function recentCommands(t: Texts, accountId: string, open: (href: string) => void): readonly Command[] {
  return recentPages(accountId)
    .filter(({ href }) => href !== location.pathname)
    .map(({ href, title }) => ({
      group: t.palette.recent,
      label: plain(title),
      icon: <Clock aria-hidden="true" />,
      run: () => open(href),
    }));
}

function useCommands(text: string): readonly Command[] {
  const t = useTexts();
  const navigate = useNavigate();
  const router = useRouter();
  const accountId = useAccountId();
  const { slug } = useParams({ strict: false });
  const env = useEnvironment();
  const switchTo = useSwitchEnvironment();
  const { data: projects } = useQuery(projectsQuery(accountId));
  return useMemo(() => {
    const page = (path: string, { name, hint, icon }: PageLink, run: () => void): Command => {
      const Icon = icon ?? icons[path] ?? FileText;
      return {
        group: t.palette.pages,
        label: name(t),
        icon: <Icon aria-hidden="true" />,
        ...(hint && { hint: hint(t) }),
        run,
      };
    };
    const action = (Icon: LucideIcon, label: string, run: () => void): Command => ({
      group: t.palette.actions,
      label,
      icon: <Icon aria-hidden="true" />,
      run,
    });
    const inProject = slug === undefined ? [] : projectCommands(slug);
    const all = [
      ...(text === '' ? recentCommands(t, accountId, (href) => router.history.push(href)) : []),
      ...inProject,
      ...linked(accountPages).map(({ path, link }) => page(path, link, () => void navigate({ to: path }))),
      ...(projects ?? [])
        .filter((project) => project.slug !== slug)
        .map((project) => ({
          group: t.palette.projects,
          label: plain(project.name),
          hint: project.slug,
          icon: <ProjectMark project={{ accountId, slug: project.slug }} name={plain(project.name)} isSeen={false} />,
          run: () => void navigate({ to: '/p/$slug/$env/overview', params: { slug: project.slug, env } }),
        })),
      action(Plus, t.nav.newProject, () => void navigate({ to: '/', hash: 'new' })),
      action(Sun, `${t.nav.theme}: ${t.nav.themes.light}`, () => setTheme('light')),
      action(Moon, `${t.nav.theme}: ${t.nav.themes.dark}`, () => setTheme('dark')),
      action(Monitor, `${t.nav.theme}: ${t.nav.themes.system}`, () => setTheme('system')),
      action(Languages, 'English', () => setLanguage('en')),
      action(Languages, 'Deutsch', () => setLanguage('de')),
    ];
    const groups = [t.palette.recent, t.palette.pages, t.palette.projects, t.palette.actions];
    return groups.flatMap((group) => all.filter((command) => command.group === group));

    function projectCommands(current: string): Command[] {
      const params = { slug: current, env };
      const wanted = text.trim();
      return [
        ...[...linked(environmentPages), ...linked(projectPages)].map(({ path, link }) =>
          page(path, link, () => void navigate({ to: path, params })),
        ),
        ...environments
          .filter((name) => name !== env)
          .map((name) =>
            action(ArrowLeftRight, t.palette.switchEnvironment(t.environments[name]), () => void switchTo(name)),
          ),
        action(KeyRound, t.keys.new, () => void navigate({ to: '/p/$slug/keys', params, search: { create: true } })),
        ...(wanted.length > 2
          ? [
              action(
                Search,
                t.palette.findPlayer(wanted),
                () => void navigate({ to: '/p/$slug/$env/players', params, search: { query: wanted } }),
              ),
            ]
          : []),
      ];
    }
  }, [t, navigate, router, accountId, slug, env, projects, text, switchTo]);
}
