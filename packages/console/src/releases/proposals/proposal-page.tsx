/** A proposal: its change against today's document, its approvals and times, and what can be done with it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { comingTimes } from '../../api/proposal-times.ts';
import { type Proposal, type ProposalKey, proposalQuery } from '../../api/proposals.ts';
import { useSubject } from '../../api/signed-in.ts';
import { WithDocumentHints } from '../../fields/document-hints.tsx';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { useWriting } from '../../saving/writing.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { formatMoment, formatUtc, isOtherThanUtc } from '../../times/formats.ts';
import { ComingTimes, ProposalBadge, proposalName } from '../../times/proposal-state.tsx';
import { missingApprovals } from '../../times/standing.ts';
import { authorName } from '../../ui/authors.ts';
import { EnvironmentName, Notice } from '../../ui/controls.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Plain } from '../../ui/plain.tsx';
import { Ago } from '../../ui/table.tsx';
import { ProposalActions } from './proposal-actions.tsx';
import { ProposalChange } from './proposal-change.tsx';
import { useRereading } from './rereading.ts';
import './proposal-page.css';

const [useReleaseTexts] = textsOf('releases');

export function ProposalPage() {
  const t = useTexts();
  const key = useStateKey();
  const { proposalId } = useParams({ from: '/shell/p/$slug/$env/proposals/$proposalId' });
  const proposalKey: ProposalKey = { ...key, proposalId };
  const proposal = useQuery(proposalQuery(proposalKey));
  useRereading(key);
  if (isMissing(proposal.error)) return <NotFound />;
  return (
    <div className="page">
      {proposal.data === undefined && <PageHeader title={t.nav.proposals} back={<Back proposalKey={proposalKey} />} />}
      <Loaded query={proposal} rows={10}>
        {(data) => (
          <WithDocumentHints schemaKey={{ ...key, kind: 'public-state' }}>
            <Opened proposalKey={proposalKey} proposal={data} />
          </WithDocumentHints>
        )}
      </Loaded>
    </div>
  );
}

function Back({ proposalKey: { slug, env } }: { proposalKey: ProposalKey }) {
  const r = useReleaseTexts();
  return (
    <Link to="/p/$slug/$env/proposals" params={{ slug, env }} className="back-link" title={r.back}>
      <ArrowLeft aria-hidden="true" />
      <span>{r.back}</span>
    </Link>
  );
}

function Opened({ proposalKey, proposal }: { proposalKey: ProposalKey; proposal: Proposal }) {
  const r = useReleaseTexts();
  const subject = useSubject();
  const writing = useWriting(proposalKey);
  const isAuthor = proposal.author?.id === subject;
  const { failure, state } = proposal;
  return (
    <>
      <PageHeader
        title={proposalName(r, proposal)}
        back={<Back proposalKey={proposalKey} />}
        lead={
          <>
            <span className="proposal-lead">
              <EnvironmentName env={proposalKey.env} />
              <ProposalBadge proposal={proposal} />
            </span>
            <span>
              <ComingTimes proposal={proposal} />
            </span>
          </>
        }
      >
        <ProposalActions proposalKey={proposalKey} proposal={proposal} writing={writing} isAuthor={isAuthor} />
      </PageHeader>
      {failure !== null && (
        <Notice kind="bad" title={state === 'failed' ? r.failed : r.revertFailed}>
          {r.failures[failure.code]} <Plain>{failure.message}</Plain>
        </Notice>
      )}
      <div className="proposal">
        <ProposalChange
          proposalKey={proposalKey}
          proposal={proposal}
          mayEdit={state === 'open' && (isAuthor || !writing.isForbidden)}
        />
        <div className="proposal-side">
          <Approvals proposal={proposal} isForbidden={writing.isForbidden} />
          <Details proposalKey={proposalKey} proposal={proposal} />
        </div>
      </div>
    </>
  );
}

function Approvals({ proposal, isForbidden }: { proposal: Proposal; isForbidden: boolean }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const { approvals, requiredApprovals, state, author, editors } = proposal;
  const missing = missingApprovals(proposal);
  const isOwn = [author, ...editors].some((one) => one?.id === subject);
  if (requiredApprovals === 0 && approvals.length === 0 && !isForbidden) return null;
  return (
    <section className="card" aria-label={r.approvals}>
      <h2>
        {r.approvals}
        {state === 'open' && requiredApprovals > 0 && <small>{r.approvalsOf(approvals.length, requiredApprovals)}</small>}
      </h2>
      {approvals.length === 0 && <p className="hint">{requiredApprovals > 0 ? r.noApprovals : r.notNeeded}</p>}
      <ul className="approvals">
        {approvals.map(({ author, at, comment }) => (
          <li key={`${author.id} ${at}`}>
            <p>
              <b>
                <bdi>{authorName(t, author, subject)}</bdi>
              </b>{' '}
              <small>
                <Ago time={at} />
              </small>
            </p>
            {comment !== null && (
              <p className="approval-comment">
                <Plain>{comment}</Plain>
              </p>
            )}
          </li>
        ))}
      </ul>
      {state === 'open' && isForbidden && <p className="hint">{r.readOnly}</p>}
      {missing > 0 && state === 'open' && isOwn && !isForbidden && <p className="hint">{r.own}</p>}
    </section>
  );
}

function Details({ proposalKey, proposal }: { proposalKey: ProposalKey; proposal: Proposal }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const { slug, env } = proposalKey;
  const version = (name: string, one: number | null) =>
    one !== null && (
      <Fact name={name}>
        <Link to="/p/$slug/$env/history" params={{ slug, env }} search={{ version: one }}>
          {t.common.version(one)}
        </Link>
      </Fact>
    );
  const { author, editors, baseVersion, createdAt, updatedAt, appliedVersion, appliedBy, revertedVersion } = proposal;
  const { applyAt, revertAt, scheduledBy } = proposal;
  const coming = comingTimes(proposal);
  return (
    <section className="card" aria-label={r.details}>
      <h2>{r.details}</h2>
      <Facts>
        <Fact name={r.author}>
          <bdi>{authorName(t, author, subject)}</bdi>
        </Fact>
        {editors.length > 0 && <Fact name={r.editors}>{editors.map((one) => authorName(t, one, subject)).join(', ')}</Fact>}
        <Fact name={r.created}>
          <Ago time={createdAt} />
        </Fact>
        {updatedAt !== createdAt && (
          <Fact name={r.updated}>
            <Ago time={updatedAt} />
          </Fact>
        )}
        {version(r.basedOn, baseVersion)}
        <TimeFact name={r.applyAt} time={applyAt} isShown={coming.apply !== null} />
        <TimeFact name={r.revertAt} time={revertAt} isShown={coming.revert !== null} />
        {scheduledBy !== null && (
          <Fact name={r.scheduledBy}>
            <bdi>{authorName(t, scheduledBy, subject)}</bdi>
          </Fact>
        )}
        {version(r.appliedVersion, appliedVersion)}
        {appliedVersion !== null && (
          <Fact name={r.appliedBy}>
            <bdi>{authorName(t, appliedBy, subject)}</bdi>
          </Fact>
        )}
        {version(r.revertedVersion, revertedVersion)}
      </Facts>
    </section>
  );
}

/** A time here, and in UTC if that is another. Without another, it is left out where it is shown above. */
function TimeFact({ name, time, isShown }: { name: string; time: string | null; isShown: boolean }) {
  if (time === null || (isShown && !isOtherThanUtc(time))) return null;
  return (
    <Fact name={name}>
      <time dateTime={time}>{formatMoment(time)}</time>
      {isOtherThanUtc(time) && <small className="hint">{formatUtc(time)}</small>}
    </Fact>
  );
}
