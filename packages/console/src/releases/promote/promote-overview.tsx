/** The three environments side by side: their age, and differences from the next one. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { byEnvironment } from '../../api/environments.ts';
import { headQuery } from '../../api/queries.ts';
import { useSubject } from '../../api/signed-in.ts';
import { emptyDocument, type StateRecord } from '../../api/state.ts';
import { compare } from '../../json-text/changes.ts';
import { useProject } from '../../page/route-params.ts';
import { formatAgo, formatBytes, formatTime, textsOf, useTexts } from '../../texts/index.ts';
import { authorName } from '../../ui/authors.ts';
import { EnvironmentName } from '../../ui/controls.tsx';
import './promote-overview.css';

const [usePromoteTexts] = textsOf('promote');

/** The stored version of each environment, if read; null if there is none. */
type States = Readonly<Record<Environment, StateRecord | null | undefined>>;

interface OverviewProps {
  readonly states: States;
  readonly from: Environment;
  readonly to: Environment;
  readonly onChoose: (pair: { from: Environment; to: Environment }) => void;
}

/** What the card of an environment compares: itself with the next one; production, which has none, with development. */
const pairs = {
  development: { from: 'development', to: 'staging' },
  staging: { from: 'staging', to: 'production' },
  production: { from: 'development', to: 'production' },
} as const;

/** A card for each environment, with its differences from another one. */
export function Overview({ states, from, to, onChoose }: OverviewProps) {
  const counts = useMemo(
    () =>
      byEnvironment((env) => {
        const [source, target] = [states[pairs[env].from], states[pairs[env].to]];
        if (source === undefined || target === undefined) return undefined;
        return compare(target?.state ?? emptyDocument, source?.state ?? emptyDocument).changes.length;
      }),
    [states],
  );
  return (
    <ol className="environment-cards">
      {environments.map((env) => (
        <EnvironmentCard
          key={env}
          env={env}
          role={env === from ? 'from' : env === to ? 'to' : undefined}
          differences={counts[env]}
          onChoose={onChoose}
        />
      ))}
    </ol>
  );
}

interface EnvironmentCardProps {
  readonly env: Environment;
  readonly role: 'from' | 'to' | undefined;
  /** Differences from the other one; undefined while they are not compared. */
  readonly differences: number | undefined;
  readonly onChoose: OverviewProps['onChoose'];
}

function EnvironmentCard({ env, role, differences, onChoose }: EnvironmentCardProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const subject = useSubject();
  const project = useProject();
  const pair = pairs[env];
  const isTarget = pair.to === env;
  const other = t.environments[isTarget ? pair.from : pair.to];
  const { data: head } = useQuery(headQuery({ ...project, env }));
  return (
    <li className="card environment-card" data-env={env} data-role={role}>
      <h2>
        <EnvironmentName env={env} />
      </h2>
      <p>
        {head === null && <em>{p.empty}</em>}
        {head && (
          <>
            <b>{t.common.version(head.version)}</b> · {formatBytes(head.stateSizeBytes)}
          </>
        )}
      </p>
      <p className="last-write">
        {head && (
          <>
            <bdi>{authorName(t, head.author, subject)}</bdi> ·{' '}
            <time dateTime={head.createdAt} title={formatTime(head.createdAt)}>
              {formatAgo(head.createdAt)}
            </time>
          </>
        )}
      </p>
      <button type="button" className="link" onClick={() => onChoose(pair)}>
        {differences === undefined && p.compareWith(other)}
        {differences === 0 && p.equals(other)}
        {Number(differences) > 0 && (isTarget ? p.differsFrom : p.differs)(Number(differences), other)}
      </button>
    </li>
  );
}
