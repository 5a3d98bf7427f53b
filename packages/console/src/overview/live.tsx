/** The live version of an environment, and its next scheduled change. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { comingQuery } from '../api/proposals.ts';
import { headQuery } from '../api/queries.ts';
import { useSubject } from '../api/signed-in.ts';
import type { StateKey } from '../api/state.ts';
import { type ComingStep, comingSteps } from '../state/waiting-line.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { formatClock, formatShortDay } from '../times/formats.ts';
import { proposalName } from '../times/proposal-state.tsx';
import { authorName } from '../ui/authors.ts';
import { Plain } from '../ui/plain.tsx';
import { Ago } from '../ui/table.tsx';

const [useOverviewTexts] = textsOf('overview');
const [useReleaseTexts] = textsOf('releases');

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
  const [next] = comingSteps(coming);
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
            {next === undefined ? <strong>{ot.nothingPlanned}</strong> : <NextStep stateKey={stateKey} next={next} />}
            {pending > 0 && (
              <small>
                <Link to="/p/$slug/$env/proposals" params={{ slug, env }} search={{ env }}>
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

/** What is applied or ends next, and when. */
function NextStep({ stateKey: { slug, env }, next: { kind, at, proposal } }: { stateKey: StateKey; next: ComingStep }) {
  const r = useReleaseTexts();
  const said = kind === 'applies' ? r.appliesAt : r.revertsAt;
  return (
    <>
      <strong>
        <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
          <bdi>{proposalName(r, proposal)}</bdi>
        </Link>
      </strong>
      <small className="hint">{said(formatShortDay(at), formatClock(at))}</small>
    </>
  );
}
