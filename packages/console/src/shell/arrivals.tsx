/** Where sign-in comes back to, and where links of the command line lead. */
import { isHoldfastError } from '@holdfast/client';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { consolePath, isLoopback } from '../api/addresses.ts';
import { accountQuery } from '../api/queries.ts';
import { followLink, type Holder, handleRedirect, type SessionState, session } from '../api/session.ts';
import { useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { faultText } from '../ui/fault.tsx';
import { SignInPage, Welcome } from './SignInPage.tsx';
import { usePersonName } from './Whose.tsx';

/** Ends the way to the login page and back. */
export function CallbackPage({ onArrived }: { onArrived: (address: string) => void }) {
  const t = useTexts();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    arrive().then(onArrived, (error: unknown) => setFailure(faultText(t, error)));
  }, [onArrived, t]);
  return failure === undefined ? <Working /> : <SignInPage failure={failure} />;
}

function Working() {
  const t = useTexts();
  return (
    <div className="sign-in-page" role="status">
      {t.session.working}
    </div>
  );
}

let arriving: Promise<string> | undefined;

/** Arrives once, however often the page is rendered: a code works once. */
function arrive(): Promise<string> {
  arriving ??= handleRedirect();
  return arriving;
}

/** The secret of the link that was opened. The history does not keep it. */
const opened = location.hash.slice(1);
if (location.pathname === `${consolePath}/demo`) history.replaceState(null, '', location.pathname);

/** Follows a link of the command line. It takes nobody's session without asking. */
export function LinkPage() {
  const t = useTexts();
  const [before, setBefore] = useState<SessionState>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => void session.ready.then(() => setBefore(session.state)), []);
  const follow = useCallback(() => {
    if (!isLoopback) return setFailure(t.session.linkElsewhere);
    openLink().catch((error: unknown) => {
      setFailure(isHoldfastError(error, 'invalid_grant') ? t.session.linkUsed : faultText(t, error));
    });
  }, [t]);
  const isFree = before?.kind === 'signed_out';
  useEffect(() => {
    if (isFree) follow();
  }, [isFree, follow]);
  if (failure !== undefined) return <SignInPage failure={failure} />;
  if (before === undefined || before.kind === 'signed_out') return <Working />;
  return <Question holder={before} onFollow={follow} />;
}

function Question({ holder, onFollow }: { holder: Holder; onFollow: () => void }) {
  const t = useTexts();
  const [isBusy, setBusy] = useState(false);
  const { data } = useQuery(accountQuery(holder.accountId));
  const person = usePersonName(holder);
  return (
    <Welcome>
      <h1>{t.session.linkTitle}</h1>
      <p className="lead">{t.session.linkText}</p>
      <dl className="facts">
        <div>
          <dt>{t.nav.account}</dt>
          <dd>
            <bdi>{data?.name ?? holder.accountId}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t.session.who}</dt>
          <dd>
            <bdi>{person}</bdi>
          </dd>
        </div>
      </dl>
      <a className="button primary large" href={`${consolePath}/`}>
        <span>{t.session.linkStay}</span>
      </a>
      <Button
        className="large"
        isBusy={isBusy}
        icon={<ArrowRight />}
        onClick={() => {
          setBusy(true);
          onFollow();
        }}
      >
        {t.session.linkFollow}
      </Button>
    </Welcome>
  );
}

let following: Promise<void> | undefined;

/** Opens it once, however often the page is rendered. */
function openLink(): Promise<void> {
  const [code = '', verifier = ''] = opened.split('.');
  following ??= followLink(code, verifier).then(() => location.replace(`${consolePath}/p/hello/connect?welcome=true`));
  return following;
}
