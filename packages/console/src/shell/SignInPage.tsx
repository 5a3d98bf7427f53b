/** What somebody sees who is not signed in. */
import { isHoldfastError } from '@holdfast/client';
import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { consolePath, consoleUrl, isAtHome, isLoopback } from '../api/addresses.ts';
import { followLink, handleRedirect, signIn } from '../api/session.ts';
import { setLanguage, useLanguage, useTexts } from '../texts/index.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { faultText } from '../ui/fault.tsx';
import { Mark } from '../ui/mark.tsx';

export function SignInPage({ failure }: { failure?: string }) {
  const t = useTexts();
  const language = useLanguage();
  const [fault, setFault] = useState<string | undefined>(failure);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = `${t.session.title} – Holdfast`;
  }, [t]);
  const start = () => {
    setBusy(true);
    const isCallback = /\/(?:callback|demo)$/.test(location.pathname);
    signIn(isCallback ? `${consolePath}/` : location.pathname + location.search).catch((error: unknown) => {
      setBusy(false);
      setFault(faultText(t, error));
    });
  };
  return (
    <div className="sign-in-page">
      <main>
        <p className="wordmark">
          <Mark />
          Holdfast
        </p>
        <h1>{isAtHome ? t.session.title : t.session.elsewhere}</h1>
        <p className="lead">{isAtHome ? t.session.lead : t.session.elsewhereText}</p>
        {fault !== undefined && (
          <Notice kind="bad" title={t.session.failed}>
            {fault}
          </Notice>
        )}
        {!isAtHome && (
          <a className="button primary large" href={consoleUrl}>
            {t.session.open(consoleUrl)}
          </a>
        )}
        {isAtHome && !window.isSecureContext && <Notice kind="warn">{t.session.insecure}</Notice>}
        {isAtHome && window.isSecureContext && (
          <Button kind="primary" className="large" isBusy={isBusy} onClick={start} icon={<ArrowRight />}>
            {t.session.signIn}
          </Button>
        )}
        {isAtHome && isLoopback && <p className="hint">{t.session.demoHint}</p>}
        <p className="languages">
          <button type="button" aria-pressed={language === 'en'} lang="en" onClick={() => setLanguage('en')}>
            English
          </button>
          <button type="button" aria-pressed={language === 'de'} lang="de" onClick={() => setLanguage('de')}>
            Deutsch
          </button>
        </p>
      </main>
    </div>
  );
}

/** Where sign-in comes back to, and where the link of the demo leads. */
export function ArrivalPage({ kind, onArrived }: { kind: 'callback' | 'demo'; onArrived: (address: string) => void }) {
  const t = useTexts();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    arrive(kind).then(onArrived, (error: unknown) => {
      const isUsed = kind === 'demo' && isHoldfastError(error, 'invalid_grant');
      setFailure(isUsed ? t.session.linkUsed : faultText(t, error));
    });
  }, [kind, onArrived, t]);
  if (failure !== undefined) return <SignInPage failure={failure} />;
  return (
    <div className="sign-in-page" role="status">
      {t.session.working}
    </div>
  );
}

const arrivals = new Map<string, Promise<string>>();

/** Arrives once, however often the page is rendered: a code works once. */
function arrive(kind: 'callback' | 'demo'): Promise<string> {
  const known = arrivals.get(location.href);
  if (known !== undefined) return known;
  const arriving = kind === 'callback' ? handleRedirect() : openDemo();
  arrivals.set(location.href, arriving);
  return arriving;
}

async function openDemo(): Promise<string> {
  const [code = '', verifier = ''] = location.hash.slice(1).split('.');
  history.replaceState(null, '', location.pathname); // the link works once, but the history need not show it
  await followLink(code, verifier);
  return `${consolePath}/p/hello/connect?welcome=true`;
}
