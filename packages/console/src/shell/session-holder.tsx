/** The session: account and user. */
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/queries.ts';
import { type Holder, personName } from '../api/session.ts';
import { useSession } from '../api/signed-in.ts';
import { useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';

/** The account and the developer, in two lines. */
export function SessionHolder() {
  const state = useSession();
  return state.kind === 'signed_out' ? null : <HolderLines holder={state} />;
}

function HolderLines({ holder }: { holder: Holder }) {
  const t = useTexts();
  const { data } = useQuery(accountQuery(holder.accountId));
  const account = data?.name ?? holder.accountId;
  const person = personName(holder, t.session.operator);
  return (
    <span className="session-holder" title={plain(`${account} · ${person}`)}>
      <span className="hidden-text">{t.nav.account}</span>
      <b className="cut">
        <Plain>{account}</Plain>
      </b>
      <span className="hidden-text">{t.session.who}</span>
      <span className="cut">
        <Plain>{person}</Plain>
      </span>
    </span>
  );
}
