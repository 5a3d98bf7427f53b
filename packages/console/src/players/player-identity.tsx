/** Who a player is. */
import { guestIdPrefix } from '@holdfast/contract';
import type { Player } from '../api/players.ts';
import { methodName } from '../sign-in-settings/method-names.ts';
import { formatAgo, formatTime, useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { Fact, Facts, IdFact } from '../ui/facts.tsx';
import { Plain } from '../ui/plain.tsx';
import { lastSave, playerName } from './player-table.tsx';

/** Facts from sign-ins and saves. The title of the page is not repeated. */
export function IdentityCard({ player }: { player: Player }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { userId, guest, email, name, providers, createdAt, lastSignInAt } = player;
  const title = playerName(player);
  const wasGuest = !guest && userId.startsWith(guestIdPrefix);
  const methods = providers.map((id) => methodName(t, id)).join(', ');
  return (
    <section className="card player-identity" aria-label={p.identity}>
      <h2>{p.identity}</h2>
      <Facts>
        {title !== userId && <IdFact name={p.playerId} id={userId} />}
        {/* The service leaves both out for roles that must not read them. */}
        {name !== undefined && title !== name && <KnownFact name={p.name} text={name} />}
        {email !== undefined && title !== email && <KnownFact name={p.email} text={email} />}
        <KnownFact name={p.methods} text={methods || (guest ? p.guestKey : null)} />
        {lastSignInAt === null && guest ? (
          <Fact name={p.lastSignIn}>{p.guestSignIn}</Fact>
        ) : (
          <TimeFact name={p.lastSignIn} time={lastSignInAt} />
        )}
        <TimeFact name={p.since} time={createdAt} />
        <SaveFact player={player} />
      </Facts>
      {wasGuest && <p className="hint">{p.wasGuest}</p>}
    </section>
  );
}

/** A text from a sign-in; one that is missing is said to be unknown. */
function KnownFact({ name, text }: { name: string; text: string | null }) {
  const p = usePlayerTexts();
  return <Fact name={name}>{text ? <Plain>{text}</Plain> : <span className="hint">{p.notKnown}</span>}</Fact>;
}

function SaveFact({ player }: { player: Player }) {
  const p = usePlayerTexts();
  const time = lastSave(player)?.updatedAt;
  if (time === undefined) return <Fact name={p.lastSave}>{p.neverSaved}</Fact>;
  return <TimeFact name={p.lastSave} time={time} />;
}

function TimeFact({ name, time }: { name: string; time: string | null }) {
  if (time === null) return <KnownFact name={name} text={null} />;
  return (
    <Fact name={name}>
      <span>{formatTime(time)}</span>
      <span className="hint">{formatAgo(time)}</span>
    </Fact>
  );
}
