/** The tabs above pages that belong together: releases, settings, team, usage. */
import { Link, useMatches, useParams } from '@tanstack/react-router';
import { sections } from '../sections.ts';
import { useTexts } from '../texts/index.ts';
import { useEnvironment } from './route-params.ts';

export function SectionTabs() {
  const t = useTexts();
  const { slug = '' } = useParams({ strict: false });
  const env = useEnvironment();
  const path = useMatches().at(-1)?.fullPath;
  const section = sections.find(({ tabs }) => tabs.some(({ page }) => page.path === path));
  if (section === undefined) return null;
  return (
    <nav className="section-tabs" aria-label={section.name(t)}>
      <ul>
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
