/** Where sign-in comes back to, and where links of the command line lead. */
import { isHoldfastError } from '@holdfast/client';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { consolePath, isAtHome, isLoopback } from '../api/addresses.ts';
import { invitationQuery, signInToJoin } from '../api/invitation.ts';
import { accountQuery } from '../api/queries.ts';
import { followLink, type Holder, handleRedirect, type SessionState, session, untilBack } from '../api/session.ts';
import { formatDate, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Facts, TextFact } from '../ui/facts.tsx';
import { Fault, faultText } from '../ui/fault.tsx';
import { useTitle } from '../ui/title.ts';
import { openedSecret } from './arrival.ts';
import { SignInPage, Welcome } from './sign-in-page.tsx';
import { usePersonName } from './whose.tsx';

/** Ends the way to the login page and back. */
export function CallbackPage({ onArrived }: { onArrived: (address: string) => void }) {
  const t = useTexts();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    arrive().then(onArrived, (error: unknown) => setFailure(faultText(t, error)));
  }, [onArrived, t]);
  return failure === undefined ? <Working /> : <SignInPage failure={failure} />;
}

function Working({ text }: { text?: string }) {
  const t = useTexts();
  return (
    <div className="sign-in-page" role="status">
      {text ?? t.session.working}
    </div>
  );
}

let arriving: Promise<string> | undefined;

/** Arrives once, however often the page is rendered: a code works once. */
function arrive(): Promise<string> {
  arriving ??= handleRedirect();
  return arriving;
}

/** Follows a link of the command line. It takes nobody's session without asking. */
export function LinkPage() {
  const t = useTexts();
  const [before, setBefore] = useState<SessionState>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => void session.ready.then(() => setBefore(session.state)), []);
  const follow = useCallback(async () => {
    if (!isLoopback) return setFailure(t.session.linkElsewhere);
    return openLink().catch((error: unknown) => {
      setFailure(isHoldfastError(error, 'invalid_grant') ? t.session.linkUsed : faultText(t, error));
    });
  }, [t]);
  const isFree = before?.kind === 'signed_out';
  useEffect(() => {
    if (isFree) void follow();
  }, [isFree, follow]);
  if (failure !== undefined) return <SignInPage failure={failure} />;
  if (before === undefined || before.kind === 'signed_out') return <Working />;
  return <Question holder={before} onFollow={follow} />;
}

function Question({ holder, onFollow }: { holder: Holder; onFollow: () => Promise<void> }) {
  const t = useTexts();
  const follow = useAction(onFollow);
  return (
    <Welcome>
      <h1>{t.session.linkTitle}</h1>
      <p className="lead">{t.session.linkText}</p>
      <HolderFacts holder={holder} />
      <a className="button primary large" href={`${consolePath}/`}>
        <span>{t.session.linkStay}</span>
      </a>
      <Button className="large" isBusy={follow.isBusy} onClick={follow.run} icon={<ArrowRight />}>
        {t.session.linkFollow}
      </Button>
    </Welcome>
  );
}

function HolderFacts({ holder }: { holder: Holder }) {
  const t = useTexts();
  const { data } = useQuery(accountQuery(holder.accountId));
  const person = usePersonName(holder);
  return (
    <Facts>
      <TextFact name={t.nav.account} text={data?.name ?? holder.accountId} />
      <TextFact name={t.session.who} text={person} />
    </Facts>
  );
}

let following: Promise<void> | undefined;

/** Opens it once, however often the page is rendered. */
function openLink(): Promise<void> {
  const [code = '', verifier = ''] = openedSecret.split('.');
  following ??= followLink(code, verifier).then(() => {
    location.replace(`${consolePath}/p/hello/connect?welcome=true`);
    return untilBack();
  });
  return following;
}

/** Shows what an invitation leads to, before anybody signs in with it. */
export function JoinPage() {
  const t = useTexts();
  const [before, setBefore] = useState<SessionState>();
  const join = useAction(() => signInToJoin(openedSecret));
  const invitation = useQuery(invitationQuery(openedSecret));
  useEffect(() => void session.ready.then(() => setBefore(session.state)), []);
  useTitle(t.join.title);
  if (before === undefined || invitation.isPending) return <Working text={t.common.loading} />;
  const { data } = invitation;
  if (!isAtHome || !window.isSecureContext) return <SignInPage />;
  if (invitation.isError) {
    return (
      <Welcome>
        <h1>{t.join.title}</h1>
        <Fault error={invitation.error} onRetry={() => void invitation.refetch()} />
      </Welcome>
    );
  }
  if (data == null) {
    return (
      <Welcome>
        <h1>{t.join.gone}</h1>
        <p className="lead">{openedSecret === '' ? t.join.again : t.join.goneText}</p>
        <a className="button primary large" href={`${consolePath}/`}>
          <span>{before.kind === 'signed_out' ? t.session.signIn : t.session.linkStay}</span>
        </a>
      </Welcome>
    );
  }
  return (
    <Welcome>
      <h1>{t.join.title}</h1>
      <p className="lead">{t.join.text}</p>
      <Facts>
        <TextFact name={t.nav.account} text={data.accountName} />
        <TextFact name={t.join.as} text={t.team.roles[data.role]} />
        {data.environments !== null && (
          <TextFact name={t.team.where} text={data.environments.map((env) => t.environments[env]).join(', ')} />
        )}
        <TextFact name={t.join.from} text={data.inviter ?? t.session.operator} />
        <TextFact name={t.join.until} text={formatDate(data.expiresAt)} />
      </Facts>
      <Fault error={join.fault} />
      {before.kind !== 'signed_out' && (
        <>
          <p className="lead">{t.join.other}</p>
          <HolderFacts holder={before} />
        </>
      )}
      <Button kind="primary" className="large" isBusy={join.isBusy} onClick={join.run} icon={<ArrowRight />}>
        {before.kind === 'signed_out' ? t.join.accept : t.join.acceptElse}
      </Button>
      {before.kind !== 'signed_out' && (
        <a className="button large" href={`${consolePath}/`}>
          <span>{t.session.linkStay}</span>
        </a>
      )}
    </Welcome>
  );
}
