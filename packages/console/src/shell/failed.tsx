/** Replaces a page that failed, or that could not be loaded. */
import { useMatches } from '@tanstack/react-router';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { usePageEnvironment } from '../page/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { NotLoaded } from '../ui/fault.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { pagesByPath } from './pages.tsx';

/** The title, the tabs and the environments of the page stay. Another try loads the window again, since a script is asked for only once. */
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
