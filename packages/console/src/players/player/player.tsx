/** A player, in the order of a support request: saves of all environments, identity, sessions, block, erasure. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, UserX } from 'lucide-react';
import { may, useAuthority } from '../../api/authority.ts';
import { call, send } from '../../api/http.ts';
import { forgetPlayers, type PlayerKey, playerQuery } from '../../api/players.ts';
import { projectsQuery } from '../../api/queries.ts';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { EmptyState } from '../../ui/controls.tsx';
import { DangerZone } from '../../ui/danger-zone.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { refusalText } from '../../ui/refusal-text.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toasts.tsx';
import { usePlayerKey } from '../player-key.ts';
import { PlayerMarks, playerName } from '../player-name.tsx';
import { AccessCard } from './access-card.tsx';
import { IdentityCard } from './identity-card.tsx';
import { SavesCard } from './saves-card.tsx';
import './player.css';

const [usePlayerTexts] = textsOf('players');

export function PlayerPage() {
  const t = useTexts();
  const p = usePlayerTexts();
  const own = useAuthority();
  const key = usePlayerKey();
  const { slug } = useStateKey();
  const player = useQuery(playerQuery(key));
  const { data: projects } = useQuery(projectsQuery(key.accountId));
  const isNobody = isMissing(player.error);
  if (projects?.every((project) => project.slug !== slug)) return <NotFound />;
  return (
    <div className="page player-page">
      {player.data === undefined && <PageHeader title={t.players.title} back={<Back />} />}
      {isNobody ? (
        <EmptyState icon={<UserX />} title={p.nobody}>
          {p.nobodyText}
        </EmptyState>
      ) : (
        <Loaded query={player} rows={8}>
          {(data) => (
            <>
              <PageHeader
                title={playerName(data)}
                isId={playerName(data) === data.userId}
                back={<Back />}
                lead={(data.guest || data.blocked !== null) && <PlayerMarks player={data} />}
              >
                {(own === undefined || may(own, 'read_players')) && <PlayerMenu playerKey={key} />}
              </PageHeader>
              <SavesCard key={`${slug}/${key.endUserId}`} player={data} />
              <IdentityCard player={data} />
              <AccessCard playerKey={key} name={playerName(data)} blocked={data.blocked} />
              {may(own, 'support_players') && <ErasePlayer playerKey={key} name={playerName(data)} />}
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

function Back() {
  const p = usePlayerTexts();
  const { slug, env } = useStateKey();
  return (
    <Link to="/p/$slug/$env/players" params={{ slug, env }} className="back-link" title={p.back}>
      <ArrowLeft aria-hidden="true" />
      <span>{p.back}</span>
    </Link>
  );
}

/** What is rarely done with a player. */
function PlayerMenu({ playerKey }: { playerKey: PlayerKey }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const download = async () => {
    // The text as sent, so that numbers keep their digits.
    const text = await (await send('readPlayerExport', { params: playerKey })).text();
    saveFile(`player-${playerKey.endUserId}.json`, 'application/json', text);
  };
  const run = () =>
    void download().then(
      () => toast(p.exported),
      (error: unknown) => toast(refusalText(t, error), { isFault: true }),
    );
  return <RowMenu label={t.palette.actions} actions={[{ label: p.export, run }]} />;
}

function ErasePlayer({ playerKey, name }: { playerKey: PlayerKey; name: string }) {
  const p = usePlayerTexts();
  const { slug, env } = useStateKey();
  const navigate = useNavigate();
  return (
    <DangerZone
      title={p.erase}
      {...(name !== playerKey.endUserId && { question: p.eraseTitle(name) })}
      text={p.eraseText}
      action={p.erase}
      typed={playerKey.endUserId}
      onConfirm={async () => {
        await call('deletePlayer', { params: playerKey });
        await navigate({ to: '/p/$slug/$env/players', params: { slug, env } });
        await forgetPlayers(playerKey);
        toast(p.erased);
      }}
    />
  );
}
