/** The three environments side by side: their age, and differences from the previous one. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { headQuery } from '../../api/queries.ts';
import { emptyDocument, type StateRecord } from '../../api/state.ts';
import { useProject } from '../../shell/route-params.ts';
import { useSubject } from '../../shell/session.tsx';
import { authorName } from '../../state/authors.ts';
import { compare } from '../../state/changes.ts';
import { formatAgo, formatBytes, formatTime, textsOf, useTexts } from '../../texts/index.ts';
import { EnvironmentName } from '../../ui/controls.tsx';
import './promote-overview.css';

const [usePromoteTexts] = textsOf('promote');

/** The stored version of each environment, if read; null if there is none. */
export type States = Readonly<Record<Environment, StateRecord | null | undefined>>;

interface OverviewProps {
  readonly states: States;
  readonly from: Environment;
  readonly to: Environment;
  readonly onChoose: (pair: { from: Environment; to: Environment }) => void;
}

/** A card for each environment, with the differences between them. */
export function Overview({ states, from, to, onChoose }: OverviewProps) {
  const counts = useMemo(
    () =>
      environments.map((env, index) => {
        const before = environments[index - 1];
        const [older, newer] = [states[env], before && states[before]];
        if (older === undefined || newer === undefined) return undefined;
        return compare(older?.state ?? emptyDocument, newer?.state ?? emptyDocument).changes.length;
      }),
    [states],
  );
  return (
    <ol className="environment-cards">
      {environments.map((env, index) => (
        <EnvironmentCard
          key={env}
          env={env}
          role={env === from ? 'from' : env === to ? 'to' : undefined}
          before={environments[index - 1]}
          differences={counts[index]}
          onChoose={onChoose}
        />
      ))}
    </ol>
  );
}

interface EnvironmentCardProps {
  readonly env: Environment;
  readonly role: 'from' | 'to' | undefined;
  /** The environment that is promoted to it. */
  readonly before: Environment | undefined;
  /** Differences from that one; undefined while they are not compared. */
  readonly differences: number | undefined;
  readonly onChoose: OverviewProps['onChoose'];
}

function EnvironmentCard({ env, role, before, differences, onChoose }: EnvironmentCardProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const subject = useSubject();
  const project = useProject();
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
      {before !== undefined && (
        <button type="button" className="link" onClick={() => onChoose({ from: before, to: env })}>
          {differences === undefined && p.compareWith(t.environments[before])}
          {differences === 0 && p.equals(t.environments[before])}
          {Number(differences) > 0 && p.differs(Number(differences), t.environments[before])}
        </button>
      )}
    </li>
  );
}
