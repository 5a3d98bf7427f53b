/** The command palette: pages, projects and actions by name. */

import { Dialog as Base } from '@base-ui/react/dialog';
import { environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Fragment, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { accountPages, environmentPages, linked, projectPages } from '../pages.tsx';
import { setLanguage, setTheme, useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { useSwitchEnvironment } from './environment-switch.tsx';
import { useEnvironment } from './route-params.ts';
import { useAccountId } from './session.tsx';

interface Command {
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly run: () => void;
}

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
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const commands = useCommands(text);
  const wanted = text.trim().toLocaleLowerCase();
  const found = commands.filter(({ label, hint = '' }) => `${label} ${hint}`.toLocaleLowerCase().includes(wanted));
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((index) => (index + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(found[active]);
    }
  };
  return (
    <>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-label={t.palette.placeholder}
        placeholder={t.palette.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={t.palette.title} ref={list}>
        {found.map((command, index) => (
          <Fragment key={`${command.group} ${command.label} ${command.hint ?? ''}`}>
            {command.group !== found[index - 1]?.group && (
              <div className="palette-group" role="presentation">
                {command.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className="palette-item"
              onPointerMove={() => setActive(index)}
              onClick={() => run(command)}
            >
              <bdi>{command.label}</bdi>
              {command.hint && <small>{command.hint}</small>}
            </div>
          </Fragment>
        ))}
      </div>
      {found.length === 0 && <p className="palette-empty">{t.palette.empty}</p>}
    </>
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
    const page = (label: string, run: () => void): Command => ({ group: t.palette.pages, label, run });
    const action = (label: string, run: () => void): Command => ({ group: t.palette.actions, label, run });
    const inProject = slug === undefined ? [] : projectCommands(slug);
    const all = [
      ...inProject,
      ...linked(accountPages).map(({ path, link }) => page(link.name(t), () => void navigate({ to: path }))),
      ...(projects ?? [])
        .filter((project) => project.slug !== slug)
        .map((project) => ({
          group: t.palette.projects,
          label: plain(project.name),
          hint: project.slug,
          run: () => void navigate({ to: '/p/$slug/$env/state', params: { slug: project.slug, env } }),
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
          page(link.name(t), () => void navigate({ to: path, params })),
        ),
        ...environments
          .filter((name) => name !== env)
          .map((name) => action(t.palette.switchEnvironment(t.environments[name]), () => void switchTo(name))),
        action(t.keys.new, () => void navigate({ to: '/p/$slug/keys', params, search: { create: true } })),
        ...(wanted.length > 2
          ? [
              action(
                t.palette.findPlayer(wanted),
                () => void navigate({ to: '/p/$slug/$env/players/$playerId', params: { ...params, playerId: wanted } }),
              ),
            ]
          : []),
      ];
    }
  }, [t, navigate, slug, env, projects, text, switchTo]);
}
