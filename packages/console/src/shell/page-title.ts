/** The title of the window: page, environment and project. */
import { useMatches } from '@tanstack/react-router';
import { environmentOf } from '../api/environments.ts';
import { useTexts } from '../texts/index.ts';
import { useTitle } from '../ui/title.ts';
import { pagesByPath } from './pages.tsx';

export function usePageTitle(): void {
  const t = useTexts();
  const { fullPath = '', params = {} } = useMatches().at(-1) ?? {};
  const page = pagesByPath.get(fullPath);
  const { playerId, env, slug }: { playerId?: string; env?: string; slug?: string } = params;
  useTitle(
    page && [playerId ?? page.title(t), env && t.environments[environmentOf(env)], slug].filter(Boolean).join(' · '),
  );
}
