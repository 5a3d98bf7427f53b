/** Who a player is. */
import { guestIdPrefix } from '@holdfast/contract';
import type { Player } from '../../api/players.ts';
import { methodName } from '../../sign-in-settings/method-names.ts';
import { formatAgo, formatTime, textsOf, useTexts } from '../../texts/index.ts';
import { Fact, Facts, IdFact, TextFact } from '../../ui/facts.tsx';
import { lastSave, playerName } from '../player-name.tsx';

const [usePlayerTexts] = textsOf('players');

/** Facts from sign-ins and saves; those that are not known are named in a line. The title of the page is not repeated. */
export function IdentityCard({ player }: { player: Player }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { userId, guest, email, name, providers, createdAt, lastSignInAt } = player;
  const title = playerName(player);
  const wasGuest = !guest && userId.startsWith(guestIdPrefix);
  const methods = providers.map((id) => methodName(t, id)).join(', ') || (guest ? p.guestKey : null);
  // The service leaves name and email out for roles that must not read them.
  const texts = [
    { label: p.name, text: title === name ? undefined : name },
    { label: p.email, text: title === email ? undefined : email },
    { label: p.methods, text: methods },
  ];
  const times = [
    { label: p.lastSignIn, time: guest && lastSignInAt === null ? undefined : lastSignInAt },
    { label: p.since, time: createdAt },
  ];
  const unknown = [
    ...texts.filter(({ text }) => text === null || text === ''),
    ...times.filter(({ time }) => time === null),
  ];
  const isNobody = texts.every(({ text }) => !text) && lastSignInAt === null;
  return (
    <section className="card player-identity" aria-label={p.identity}>
      <h2>{p.identity}</h2>
      <Facts>
        {title !== userId && <IdFact name={p.playerId} id={userId} />}
        {texts.map(({ label, text }) => text && <TextFact key={label} name={label} text={text} />)}
        {lastSignInAt === null && guest && <Fact name={p.lastSignIn}>{p.guestSignIn}</Fact>}
        {times.map(({ label, time }) => time && <TimeFact key={label} name={label} time={time} />)}
        <SaveFact player={player} />
      </Facts>
      {unknown.length > 0 && (
        <p className="hint">{isNobody ? p.noIdentity : p.unknown(unknown.map(({ label }) => label).join(', '))}</p>
      )}
      {wasGuest && <p className="hint">{p.wasGuest}</p>}
    </section>
  );
}

function SaveFact({ player }: { player: Player }) {
  const p = usePlayerTexts();
  const time = lastSave(player)?.updatedAt;
  if (time === undefined) return <Fact name={p.lastSave}>{p.neverSaved}</Fact>;
  return <TimeFact name={p.lastSave} time={time} />;
}

function TimeFact({ name, time }: { name: string; time: string }) {
  return (
    <Fact name={name}>
      <span>{formatTime(time)}</span>
      <span className="hint">{formatAgo(time)}</span>
    </Fact>
  );
}
