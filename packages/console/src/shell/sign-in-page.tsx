/** What somebody sees who is not signed in. */
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { consolePath, consoleUrl, isAtHome, isLoopback } from '../api/addresses.ts';
import { signIn } from '../api/session.ts';
import { setLanguage, useLanguage, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { faultText } from '../ui/fault.tsx';
import { Mark } from '../ui/mark.tsx';
import { useTitle } from '../ui/title.ts';
import { arrivalOf } from './arrival.ts';

export function SignInPage({ failure }: { failure?: string }) {
  const t = useTexts();
  useTitle(t.session.title);
  const start = useAction(() =>
    signIn(arrivalOf() === undefined ? location.pathname + location.search : `${consolePath}/`),
  );
  const fault = start.fault === undefined ? failure : faultText(t, start.fault);
  return (
    <Welcome>
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
        <Button kind="primary" className="large" isBusy={start.isBusy} onClick={start.run} icon={<ArrowRight />}>
          {t.session.signIn}
        </Button>
      )}
      {isAtHome && isLoopback && <p className="hint">{t.session.demoHint}</p>}
    </Welcome>
  );
}

/** The frame of pages outside the shell. */
export function Welcome({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <div className="sign-in-page">
      <main>
        <p className="wordmark">
          <Mark />
          Holdfast
        </p>
        {children}
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
