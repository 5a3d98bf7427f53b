/** The command palette: pages, projects and actions by name. */

import { Dialog as Base } from '@base-ui/react/dialog';
import { environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { accountPages, environmentPages, linked, type PageLink, projectPages } from '../pages.tsx';
import { setLanguage, setTheme, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { type Command, CommandList } from './command-list.tsx';
import { useSwitchEnvironment } from './environment-switch.tsx';
import { useEnvironment } from './route-params.ts';
import { useAccountId } from './session.tsx';

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

function useCommands(text: string): readonly Command[] {
  const t = useTexts();
  const navigate = useNavigate();
  const accountId = useAccountId();
  const { slug } = useParams({ strict: false });
  const env = useEnvironment();
  const switchTo = useSwitchEnvironment();
  const { data: projects } = useQuery(projectsQuery(accountId));
  return useMemo(() => {
    const page = ({ name, hint }: PageLink, run: () => void): Command => ({
      group: t.palette.pages,
      label: name(t),
      ...(hint && { hint: hint(t) }),
      run,
    });
    const action = (label: string, run: () => void): Command => ({ group: t.palette.actions, label, run });
    const inProject = slug === undefined ? [] : projectCommands(slug);
    const all = [
      ...inProject,
      ...linked(accountPages).map(({ path, link }) => page(link, () => void navigate({ to: path }))),
      ...(projects ?? [])
        .filter((project) => project.slug !== slug)
        .map((project) => ({
          group: t.palette.projects,
          label: plain(project.name),
          hint: project.slug,
          run: () => void navigate({ to: '/p/$slug/$env/overview', params: { slug: project.slug, env } }),
        })),
      action(t.nav.newProject, () => void navigate({ to: '/', hash: 'new' })),
      action(`${t.nav.theme}: ${t.nav.themes.light}`, () => setTheme('light')),
      action(`${t.nav.theme}: ${t.nav.themes.dark}`, () => setTheme('dark')),
      action(`${t.nav.theme}: ${t.nav.themes.system}`, () => setTheme('system')),
      action('English', () => setLanguage('en')),
      action('Deutsch', () => setLanguage('de')),
    ];
    const groups = [t.palette.pages, t.palette.projects, t.palette.actions];
    return groups.flatMap((group) => all.filter((command) => command.group === group));

    function projectCommands(current: string): Command[] {
      const params = { slug: current, env };
      const wanted = text.trim();
      return [
        ...[...linked(environmentPages), ...linked(projectPages)].map(({ path, link }) =>
          page(link, () => void navigate({ to: path, params })),
        ),
        ...environments
          .filter((name) => name !== env)
          .map((name) => action(t.palette.switchEnvironment(t.environments[name]), () => void switchTo(name))),
        action(t.keys.new, () => void navigate({ to: '/p/$slug/keys', params, search: { create: true } })),
        ...(wanted.length > 2
          ? [
              action(
                t.palette.findPlayer(wanted),
                () => void navigate({ to: '/p/$slug/$env/players', params, search: { query: wanted } }),
              ),
            ]
          : []),
      ];
    }
  }, [t, navigate, slug, env, projects, text, switchTo]);
}
