/** The tabs above pages that belong together: settings, team, usage. */
import { Link, useMatches, useParams } from '@tanstack/react-router';
import { sections } from '../pages.tsx';
import { useTexts } from '../texts/index.ts';

export function SectionTabs() {
  const t = useTexts();
  const { slug = '' } = useParams({ strict: false });
  const path = useMatches().at(-1)?.fullPath;
  const section = sections.find(({ tabs }) => tabs.some(({ page }) => page.path === path));
  if (section === undefined) return null;
  return (
    <nav className="section-tabs" aria-label={section.name(t)}>
      <ul>
        {section.tabs.map(({ page, name }) => (
          <li key={page.path}>
            <Link to={page.path} params={{ slug }}>
              {name(t)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
