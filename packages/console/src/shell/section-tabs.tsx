/** The tabs above pages that belong together: releases, settings, team, usage. */
import { Link, useMatches, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { useStrip } from '../ui/strip.ts';
import { sections } from './sections.ts';
import '../ui/tabs.css';
import './section-tabs.css';

export function SectionTabs() {
  const t = useTexts();
  const { slug = '' } = useParams({ strict: false });
  const env = useEnvironment();
  // A webhook or a proposal has the tabs of the list.
  const path = useMatches()
    .at(-1)
    ?.fullPath.replace(/\/\$(?:webhook|proposal)Id$/, '');
  const section = sections.find(({ tabs }) => tabs.some(({ page }) => page.path === path));
  if (section === undefined) return null;
  return (
    <nav className="section-tabs" aria-label={section.name(t)}>
      <Strip current={path}>
        {section.tabs.map(({ page, name }) => (
          <li key={page.path}>
            <Link to={page.path} params={{ slug, env }}>
              {name(t)}
            </Link>
          </li>
        ))}
      </Strip>
    </nav>
  );
}

function Strip({ current, children }: { current: string | undefined; children: ReactNode }) {
  return (
    <ul ref={useStrip<HTMLUListElement>(current)} className="tabs">
      {children}
    </ul>
  );
}
