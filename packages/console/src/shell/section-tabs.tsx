/** The tabs of pages that belong together, below their common title: releases, settings, team. */
import { Link, useMatches, useParams } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useEnvironment } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { PageSection } from '../ui/page-header.tsx';
import { useStrip } from '../ui/strip.ts';
import { sections } from './sections.ts';
import '../ui/tabs.css';
import './section-tabs.css';

/** Gives the headers of pages below it the tabs of their section. */
export function Sectioned({ children }: { children: ReactNode }) {
  const t = useTexts();
  const path = useMatches().at(-1)?.fullPath;
  /** The path of the tab that was chosen last. */
  const chosen = useRef<string>(undefined);
  const section = useMemo(() => {
    const found = sections.find(({ tabs }) => tabs.some(({ page }) => page.path === path));
    return found && { name: found.name(t), tabs: <Tabs section={found} path={path} chosen={chosen} /> };
  }, [t, path]);
  return <PageSection.Provider value={section}>{children}</PageSection.Provider>;
}

interface TabsProps {
  readonly section: (typeof sections)[number];
  readonly path: string | undefined;
  readonly chosen: RefObject<string | undefined>;
}

/** A chosen tab keeps the focus, although the page and its header are replaced. */
function Tabs({ section, path, chosen }: TabsProps) {
  const t = useTexts();
  const { slug = '' } = useParams({ strict: false });
  const env = useEnvironment();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (chosen.current === path) nav.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
    chosen.current = undefined;
  }, [chosen, path]);
  return (
    <nav ref={nav} className="section-tabs" aria-label={section.name(t)}>
      <ul ref={useStrip<HTMLUListElement>(path)} className="tabs">
        {section.tabs.map(({ page, name }) => (
          <li key={page.path}>
            <Link
              to={page.path}
              params={{ slug, env }}
              onClick={() => {
                chosen.current = page.path;
              }}
            >
              {name(t)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
