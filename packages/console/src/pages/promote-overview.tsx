/** The three environments side by side: how old each is, and what differs from the one before. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { headQuery } from '../api/queries.ts';
import { emptyDocument, type StateKey, type StateRecord } from '../api/state.ts';
import { useProject } from '../shell/place.ts';
import { useSubject } from '../shell/session.tsx';
import { authorName } from '../state/authors.ts';
import { compare } from '../state/changes.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { EnvironmentName } from '../ui/controls.tsx';

export type States = Readonly<Record<Environment, StateRecord | null>>;

interface OverviewProps {
  readonly states: States;
  readonly from: Environment;
  readonly to: Environment;
  readonly onChoose: (pair: { from: Environment; to: Environment }) => void;
}

/** One card for each environment, and between them what differs. */
export function Overview({ states, from, to, onChoose }: OverviewProps) {
  const t = useTexts();
  const project = useProject();
  const counts = useMemo(
    () =>
      environments.map((env, index) => {
        const before = environments[index - 1];
        if (before === undefined) return 0;
        const [one, other] = [states[before]?.state ?? emptyDocument, states[env]?.state ?? emptyDocument];
        return compare(other, one).changes.length;
      }),
    [states],
  );
  return (
    <ol className="environment-cards">
      {environments.map((env, index) => {
        const record = states[env];
        const before = environments[index - 1];
        const count = counts[index];
        return (
          <li
            key={env}
            className="card environment-card"
            data-env={env}
            data-role={env === from ? 'from' : env === to ? 'to' : undefined}
          >
            <h2>
              <EnvironmentName env={env} />
            </h2>
            <p>
              {record === null ? (
                <em>{t.promote.empty}</em>
              ) : (
                <>
                  <b>{t.common.version(record.version)}</b> · {formatBytes(record.sizeBytes)}
                </>
              )}
            </p>
            {record !== null && <LastWrite stateKey={{ ...project, env }} />}
            {before !== undefined && count !== undefined && (
              <button type="button" className="link" onClick={() => onChoose({ from: before, to: env })}>
                {count === 0 ? t.promote.equals(t.environments[before]) : t.promote.differs(count, t.environments[before])}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function LastWrite({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const subject = useSubject();
  const { data: head } = useQuery(headQuery(stateKey));
  return (
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
  );
}
