/** Whose session it is: the account, and who acts in it. */
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/queries.ts';
import type { Holder } from '../api/session.ts';
import { useTexts } from '../texts/index.ts';
import { Plain, plain } from '../ui/plain.tsx';
import { useSession } from './session.tsx';

/** The subject of tokens that the command line issues (server: cli/operator.ts). */
const operatorSubject = 'operator';

/** Returns what the holder of a session is called: the best that is known. */
export function usePersonName({ name, email, subject }: Holder): string {
  const t = useTexts();
  return email ?? name ?? (subject === operatorSubject ? t.session.operator : subject);
}

/** The account and the developer, in two lines. */
export function Whose() {
  const state = useSession();
  return state.kind === 'signed_out' ? null : <WhoseLines holder={state} />;
}

function WhoseLines({ holder }: { holder: Holder }) {
  const t = useTexts();
  const { data } = useQuery(accountQuery(holder.accountId));
  const account = data?.name ?? holder.accountId;
  const person = usePersonName(holder);
  return (
    <span className="whose" title={plain(`${account} · ${person}`)}>
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
