/** A project at a glance: changes, requests and errors, rules, environments, and what needs attention. */
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/queries.ts';
import { EnvironmentSwitch } from '../shell/environment-switch.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/route-params.ts';
import { PageHeader } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import '../styles/overview.css';
import { Environments } from './environments.tsx';
import { LastChanges } from './last-changes.tsx';
import { ProjectRequests } from './project-requests.tsx';
import { Rules } from './rules.tsx';
import { Waiting } from './waiting.tsx';

export function OverviewPage() {
  const key = useStateKey();
  const { data: projects } = useQuery(projectsQuery(key.accountId));
  const project = projects?.find(({ slug }) => slug === key.slug);
  if (projects !== undefined && project === undefined) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={plain(project?.name ?? key.slug)} lead={<EnvironmentSwitch />} />
      <div className="overview">
        <ProjectRequests stateKey={key} />
        <div className="overview-column">
          <LastChanges stateKey={key} />
          <Rules stateKey={key} />
        </div>
        <div className="overview-column">
          <Waiting stateKey={key} />
          <Environments stateKey={key} />
        </div>
      </div>
    </div>
  );
}
