/** The first steps of a project, until a game is connected: what is done, and where the next is. */
import { environments } from '@holdfast/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { figuresQuery, headQuery, keysQuery } from '../api/queries.ts';
import type { StateKey } from '../api/state.ts';
import { invitationsQuery, membersQuery } from '../api/team.ts';
import { textsOf, useTexts } from '../texts/index.ts';

const [useOverviewTexts] = textsOf('overview');

/** How far a project is; undefined while unknown. */
export interface Progress {
  readonly hasConfiguration: boolean;
  readonly hasKey: boolean;
  /** Whether a game or a server has used it in the last 30 days. */
  readonly isConnected: boolean;
}

export function useProgress({ accountId, slug }: StateKey): Progress | undefined {
  const own = useAuthority();
  const project = { accountId, slug };
  const mayReadKeys = may(own, 'read_access');
  const heads = useQueries({
    queries: environments.map((env) => ({ ...headQuery({ ...project, env }), staleTime: 60_000 })),
  });
  const keys = useQuery({ ...keysQuery(project), enabled: mayReadKeys });
  const { data: figures } = useQuery(figuresQuery(accountId, { project: slug }));
  const isLoaded = own !== undefined && heads.every(({ data }) => data !== undefined) && figures !== undefined;
  if (!isLoaded || (mayReadKeys && keys.data === undefined)) return undefined;
  return {
    hasConfiguration: heads.some(({ data }) => data !== null),
    hasKey: !mayReadKeys || (keys.data?.length ?? 0) > 0,
    isConnected: figures.callers.some(({ kind }) => games.has(kind)),
  };
}

const games: ReadonlySet<string> = new Set(['api_key', 'service_account', 'end_user']);

/** Whether the steps are shown. */
export const isBeginning = ({ hasConfiguration, hasKey, isConnected }: Progress): boolean =>
  !isConnected && !(hasConfiguration && hasKey);

export function FirstSteps({ stateKey: { accountId, slug, env }, progress }: { stateKey: StateKey; progress: Progress }) {
  const t = useTexts();
  const ot = useOverviewTexts();
  const own = useAuthority();
  const mayInvite = may(own, 'manage_access');
  const { data: members = [] } = useQuery({ ...membersQuery(accountId), enabled: mayInvite });
  const { data: invitations = [] } = useQuery({ ...invitationsQuery(accountId), enabled: mayInvite });
  const done = [
    progress.hasConfiguration,
    progress.hasKey,
    progress.isConnected,
    ...(mayInvite ? [members.length + invitations.length > 1] : []),
  ];
  /** Only the next step stands out. */
  const look = (step: number) => (step === done.indexOf(false) ? 'button primary' : 'button');
  return (
    <section className="card first-steps">
      <div className="card-bar">
        <h2>{ot.firstSteps}</h2>
        <span className="hint">{ot.stepsDone(done.filter(Boolean).length, done.length)}</span>
      </div>
      <ol>
        <Step name={ot.stepConfiguration} text={ot.stepConfigurationText} isDone={done[0]}>
          <Link className={look(0)} to="/p/$slug/$env/state" params={{ slug, env }}>
            {ot.openConfiguration}
          </Link>
        </Step>
        <Step name={ot.stepKey} text={ot.stepKeyText} isDone={done[1]}>
          <Link className={look(1)} to="/p/$slug/keys" params={{ slug }} search={{ create: true }}>
            {t.keys.new}
          </Link>
        </Step>
        <Step name={ot.stepConnect} text={ot.stepConnectText} isDone={done[2]}>
          <Link className={look(2)} to="/p/$slug/connect" params={{ slug }}>
            {t.nav.connect}
          </Link>
        </Step>
        {mayInvite && (
          <Step name={ot.stepTeam} text={ot.stepTeamText} isDone={done[3]}>
            <Link className={look(3)} to="/team" search={{ invite: true }}>
              {t.team.invite}
            </Link>
          </Step>
        )}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly name: string;
  readonly text: string;
  readonly isDone: boolean | undefined;
  /** The link to its page. */
  readonly children: ReactNode;
}

function Step({ name, text, isDone, children }: StepProps) {
  const ot = useOverviewTexts();
  return (
    <li data-done={isDone || undefined}>
      <span className="step-mark">{isDone && <Check role="img" aria-label={ot.done} />}</span>
      <span>
        <b>{name}</b>
        <small className="hint">{text}</small>
      </span>
      {!isDone && children}
    </li>
  );
}
