/** A project at a glance: what needs attention, what is live and comes next, first steps, changes, rules, environments and requests. */
import { useQuery } from '@tanstack/react-query';
import { headQuery, projectsQuery } from '../api/queries.ts';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { NotFound } from '../page/not-found.tsx';
import { useStateKey } from '../page/route-params.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { plain } from '../ui/plain-text.ts';
import { Environments } from './environments.tsx';
import { FirstSteps, isBeginning, useProgress } from './first-steps.tsx';
import { LastChanges } from './last-changes.tsx';
import { Live } from './live.tsx';
import { ProjectRequests } from './project-requests.tsx';
import { Rules } from './rules.tsx';
import { Waiting } from './waiting.tsx';
import './overview-page.css';

export function OverviewPage() {
  const key = useStateKey();
  const progress = useProgress(key);
  const { data: projects } = useQuery(projectsQuery(key.accountId));
  const { data: head } = useQuery({ ...headQuery(key), staleTime: 60_000 });
  const project = projects?.find(({ slug }) => slug === key.slug);
  const isInUse = progress === undefined || progress.hasConfiguration || progress.isConnected;
  if (projects !== undefined && project === undefined) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={plain(project?.name ?? key.slug)} lead={<EnvironmentSwitch />} />
      <div className="overview">
        <Waiting stateKey={key} />
        {isInUse && <Live stateKey={key} />}
        {progress !== undefined && isBeginning(progress) && <FirstSteps stateKey={key} progress={progress} />}
        {head !== null && <LastChanges stateKey={key} />}
        <Environments stateKey={key} />
        <Rules stateKey={key} />
        {isInUse && <ProjectRequests stateKey={key} />}
      </div>
    </div>
  );
}
