/** The version of each environment, and who saved it. */
import { type Environment, environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { headQuery } from '../api/queries.ts';
import { useSubject } from '../api/signed-in.ts';
import type { StateKey } from '../api/state.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { authorName } from '../ui/authors.ts';
import { EnvironmentName, Skeleton } from '../ui/controls.tsx';
import { Plain } from '../ui/plain.tsx';
import { Ago } from '../ui/table.tsx';

const [useOverviewTexts] = textsOf('overview');

export function Environments({ stateKey }: { stateKey: StateKey }) {
  const ot = useOverviewTexts();
  return (
    <section className="card overview-environments">
      <div className="card-bar">
        <h2>{ot.environments}</h2>
        <Link to="/p/$slug/environments" params={{ slug: stateKey.slug }}>
          {ot.compare}
        </Link>
      </div>
      <ul className="overview-list">
        {environments.map((env) => (
          <EnvironmentLine key={env} stateKey={stateKey} env={env} />
        ))}
      </ul>
    </section>
  );
}

function EnvironmentLine({ stateKey, env }: { stateKey: StateKey; env: Environment }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const subject = useSubject();
  const { data: head } = useQuery({ ...headQuery({ ...stateKey, env }), staleTime: 60_000 });
  return (
    <li>
      <Link to="/p/$slug/$env/state" params={{ slug: stateKey.slug, env }}>
        <EnvironmentName env={env} />
      </Link>
      {head === undefined ? (
        <Skeleton rows={1} />
      ) : (
        <small className="hint">
          {head === null ? (
            ot.neverSaved
          ) : (
            <>
              {t.common.version(head.version)} · <Plain>{authorName(t, head.author, subject)}</Plain> ·{' '}
              <Ago time={head.createdAt} />
            </>
          )}
        </small>
      )}
    </li>
  );
}
