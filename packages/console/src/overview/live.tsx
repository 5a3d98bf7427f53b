/** The live version of an environment, and its next scheduled change. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { comingQuery } from '../api/proposals.ts';
import { headQuery } from '../api/queries.ts';
import type { StateKey } from '../api/state.ts';
import { formatClock, formatShortDay } from '../releases/formats.ts';
import { useSubject } from '../shell/session.tsx';
import { authorName } from '../state/authors.ts';
import { earliest } from '../state/waiting-line.tsx';
import { useTexts } from '../texts/index.ts';
import { useOverviewTexts } from '../texts/overview.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { Plain } from '../ui/plain.tsx';
import { Ago } from '../ui/table.tsx';

export function Live({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const { slug, env } = stateKey;
  const { data: head } = useQuery({ ...headQuery(stateKey), staleTime: 60_000 });
  const { data: coming } = useQuery(comingQuery(stateKey));
  if (head === undefined || coming === undefined) return null;
  const pending = coming.open.length;
  const next = earliest([
    ...coming.open.map(({ applyAt }) => applyAt),
    ...coming.reverting.map(({ revertAt }) => revertAt),
  ]);
  return (
    <section className="card overview-live" aria-label={ot.live}>
      <dl className="overview-figures">
        <div>
          <dt>{ot.live}</dt>
          <dd>
            <strong>
              <Link to="/p/$slug/$env/state" params={{ slug, env }}>
                {head === null ? ot.neverSaved : t.common.version(head.version)}
              </Link>
            </strong>
            {head !== null && (
              <small className="hint">
                <Plain>{authorName(t, head.author, subject)}</Plain> · <Ago time={head.createdAt} />
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>{ot.next}</dt>
          <dd>
            <strong>{next === undefined ? ot.nothingPlanned : `${formatShortDay(next)}, ${formatClock(next)}`}</strong>
            {pending > 0 && (
              <small>
                <Link to="/p/$slug/$env/proposals" params={{ slug, env }}>
                  {r.pending(pending)}
                </Link>
              </small>
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}
