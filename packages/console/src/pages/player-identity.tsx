/** A player's identity, from sign-ins. */
import { guestIdPrefix } from '@holdfast/contract';
import type { Player } from '../api/players.ts';
import { formatAgo, formatTime, useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { Fact, Facts, IdFact, TextFact } from '../ui/facts.tsx';
import { methodName } from './method-names.ts';
import { playerName } from './player-table.tsx';

export function IdentityCard({ player }: { player: Player }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { userId, guest, email, name, providers, createdAt, lastSignInAt } = player;
  const isNamed = playerName(player) !== userId; // otherwise the page's title is the id
  const wasGuest = !guest && userId.startsWith(guestIdPrefix);
  return (
    <section className="card" aria-label={p.identity}>
      <h2>{p.identity}</h2>
      <Facts>
        {(isNamed || wasGuest) && <IdFact name={p.playerId} id={userId} {...(wasGuest && { hint: p.wasGuest })} />}
        {name && <TextFact name={p.name} text={name} />}
        {email && <TextFact name={p.email} text={email} />}
        <Fact name={p.methods}>{providers.map((id) => methodName(t, id)).join(', ') || (guest ? p.guestKey : '–')}</Fact>
        {createdAt !== null && <Fact name={p.since}>{formatTime(createdAt)}</Fact>}
        <Fact name={p.lastSignIn}>
          <span title={lastSignInAt === null ? undefined : formatTime(lastSignInAt)}>
            {lastSignInAt === null ? '–' : formatAgo(lastSignInAt)}
          </span>
        </Fact>
      </Facts>
    </section>
  );
}
