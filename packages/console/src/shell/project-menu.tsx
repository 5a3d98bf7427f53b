/** The choice of a project: searched by name, the current one first, then the last opened, then the most used. */
import { Popover } from '@base-ui/react/popover';
import { useNavigate, useParams } from '@tanstack/react-router';
import { LayoutGrid, type LucideIcon, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { lastEnvironment } from '../api/environments.ts';
import { useProjectsByUse } from '../api/projects-by-use.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { ProjectMark } from '../ui/project-mark.tsx';
import { CommandList } from './command-list.tsx';

export function ProjectMenu({ className, children }: { className: string; children: ReactNode }) {
  const t = useTexts();
  const navigate = useNavigate();
  const { slug } = useParams({ strict: false });
  const accountId = useAccountId();
  const projects = useProjectsByUse(accountId);
  const [isOpen, setOpen] = useState(true);
  /** It stays within the landmark of its button. */
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  const action = (Icon: LucideIcon, label: string, run: () => void) => ({
    group: t.palette.actions,
    label,
    icon: <Icon aria-hidden="true" />,
    run,
  });
  const commands = [
    ...projects
      .toSorted((one, other) => Number(other.slug === slug) - Number(one.slug === slug))
      .map((project) => ({
        group: t.projects.title,
        label: plain(project.name),
        hint: project.slug,
        icon: <ProjectMark project={{ accountId, slug: project.slug }} name={plain(project.name)} isSeen={false} />,
        isCurrent: project.slug === slug,
        run: () => void navigate({ to: '/p/$slug/$env/overview', params: { slug: project.slug, env: lastEnvironment() } }),
      })),
    action(LayoutGrid, t.nav.projects, () => void navigate({ to: '/' })),
    action(Plus, t.nav.newProject, () => void navigate({ to: '/', hash: 'new' })),
  ];
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={className}>{children}</Popover.Trigger>
      <div ref={setContainer} className="menu-container" />
      <Popover.Portal container={container}>
        <Popover.Positioner positionMethod="fixed" sideOffset={4} align="start" className="menu-positioner">
          <Popover.Popup className="menu project-menu" aria-label={t.projects.title}>
            <CommandList
              commands={commands}
              title={t.projects.title}
              placeholder={t.projects.find}
              onRun={() => setOpen(false)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
