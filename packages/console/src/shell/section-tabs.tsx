/** The tabs above pages that belong together: releases, settings, team, usage. */
import { Link, useMatches, useParams } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { sections } from '../sections.ts';
import { useTexts } from '../texts/index.ts';
import { useEnvironment } from './route-params.ts';

export function SectionTabs() {
  const t = useTexts();
  const { slug = '' } = useParams({ strict: false });
  const env = useEnvironment();
  const path = useMatches().at(-1)?.fullPath;
  const list = useRef<HTMLUListElement>(null);
  // Where the tabs do not fit, the chosen one is in the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which tab is chosen
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector('[aria-current="page"]');
    if (!list.current || !chosen) return;
    const [frame, tab] = [list.current, chosen].map((element) => element.getBoundingClientRect()) as [DOMRect, DOMRect];
    list.current.scrollLeft += tab.left + tab.width / 2 - frame.left - frame.width / 2;
  }, [path]);
  const section = sections.find(({ tabs }) => tabs.some(({ page }) => page.path === path));
  if (section === undefined) return null;
  return (
    <nav className="section-tabs" aria-label={section.name(t)}>
      <ul ref={list}>
        {section.tabs.map(({ page, name }) => (
          <li key={page.path}>
            <Link to={page.path} params={{ slug, env }}>
              {name(t)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
