/** The title of the window: page, environment and project. */
import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { environmentOf } from '../api/environments.ts';
import { rememberPage } from '../api/recent-pages.ts';
import { useAccountId } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { useTitle } from '../ui/title.ts';
import { pagesByPath } from './pages.tsx';

export function usePageTitle(): void {
  const t = useTexts();
  const { fullPath = '', params = {} } = useMatches().at(-1) ?? {};
  const page = pagesByPath.get(fullPath);
  const { playerId, env, slug }: { playerId?: string; env?: string; slug?: string } = params;
  const title =
    page && [playerId ?? page.title(t), env && t.environments[environmentOf(env)], slug].filter(Boolean).join(' · ');
  useTitle(title);
  const accountId = useAccountId();
  useEffect(() => {
    if (title !== undefined) rememberPage(accountId, { href: location.pathname, title });
  }, [accountId, title]);
}
