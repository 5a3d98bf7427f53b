/** The frame of every page: location and navigation; and what replaces a page that failed. */
import { Link, Outlet, useMatches, useParams, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { usePageEnvironment } from '../page/route-params.ts';
import { useTexts, withTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { NotLoaded } from '../ui/fault.tsx';
import { Mark } from '../ui/mark.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useKnownSlug } from './known-slug.ts';
import { Location } from './location.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { usePageTitle } from './page-title.ts';
import { pagesByPath } from './pages.tsx';
import { Sectioned } from './section-tabs.tsx';
import { Sidebar } from './sidebar.tsx';
import './shell.css';

const Drawer = lazy(async () => ({ default: (await withTexts(import('./drawer.tsx'))).Drawer }));
const loadPalette = () => withTexts(import('./palette.tsx'));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
/** Text typed right after the palette's key must reach it, so it is loaded once the page has settled. */
const paletteAfterMs = 1_500;

export function Shell() {
  const t = useTexts();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const { slug } = useParams({ strict: false });
  const isKnown = useKnownSlug() === slug;
  const pageEnvironment = usePageEnvironment();
  const env = isKnown ? pageEnvironment : undefined;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setDrawerOpen(path === ''), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        setPaletteOpen((isOpen) => !isOpen);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    const timer = setTimeout(loadPalette, paletteAfterMs);
    return () => clearTimeout(timer);
  }, []);
  usePageTitle();
  const openPalette = () => setPaletteOpen(true);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.nav.skip}
      </a>
      <aside className="sidebar">
        <Sidebar onSearch={openPalette} onMenu={() => setDrawerOpen(true)} />
      </aside>
      <header className="topbar" data-env={env}>
        <Button
          kind="quiet"
          icon={<MenuIcon />}
          aria-label={t.nav.menu}
          aria-haspopup="dialog"
          aria-expanded={isDrawerOpen}
          onClick={() => setDrawerOpen(true)}
        />
        {isDrawerOpen && (
          <Suspense>
            <Drawer onClose={() => setDrawerOpen(false)}>
              <Sidebar
                onSearch={() => {
                  setDrawerOpen(false);
                  openPalette();
                }}
              />
            </Drawer>
          </Suspense>
        )}
        <Link to="/" className="topbar-home" aria-label={t.nav.projects}>
          <Mark />
        </Link>
        <Location />
        <Button kind="quiet" icon={<Search />} aria-label={t.nav.search} onClick={openPalette} />
      </header>
      <main id="content" tabIndex={-1} data-env={env}>
        <OfflineBar />
        <Sectioned>
          <Outlet />
        </Sectioned>
      </main>
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Keeps the title, tabs and environments of the page. A retry reloads the window, since browsers request a script only once. */
export function Failed({ error }: { error: unknown }) {
  const t = useTexts();
  const { fullPath = '' } = useMatches().at(-1) ?? {};
  const page = pagesByPath.get(fullPath);
  const hasEnvironment = usePageEnvironment() !== undefined;
  return (
    <div className="page">
      {page && <PageHeader title={page.title(t)} lead={hasEnvironment && <EnvironmentSwitch />} />}
      <NotLoaded error={error} onRetry={() => location.reload()} />
    </div>
  );
}
