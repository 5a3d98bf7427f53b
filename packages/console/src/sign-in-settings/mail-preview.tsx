/** Previews the mail with a sign-up's code, with the service's own functions, and edits a project's own words in its mails. */
import {
  type EndUserAuthConfigBody,
  mailFooterCharactersMax,
  mailGreetingCharactersMax,
  mailSubjectCharactersMax,
} from '@holdfast/contract';
import { composeMail } from '@holdfast/server/identity/mail-texts/compose';
import { logoContentId } from '@holdfast/server/identity/mail-texts/mail-brand';
import { mailLookOf } from '@holdfast/server/login/mail-look';
import { useEffect, useMemo, useRef } from 'react';
import { textsOf, useLanguage } from '../texts/index.ts';
import { Field } from '../ui/controls.tsx';

const [useSignInSettingsTexts] = textsOf('sign-in-settings');

interface MailPreviewProps {
  readonly projectName: string;
  readonly settings: EndUserAuthConfigBody;
}

const exampleCode = '482913';

export function MailPreview({ projectName, settings }: MailPreviewProps) {
  const s = useSignInSettingsTexts();
  const host = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const mail = useMemo(() => {
    const look = mailLookOf(projectName, settings, true);
    const title = look.texts?.subject;
    return composeMail(language, '', (texts) => texts.code(projectName, exampleCode, title), look);
  }, [language, projectName, settings]);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.innerHTML = withoutStyles(bodyOf(mail.html)); // the mail escapes user content
    for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? '';
    }
    const picture = root.querySelector<HTMLImageElement>(`img[src="cid:${logoContentId}"]`);
    if (picture && mail.logo) picture.src = `data:${mail.logo.mediaType};base64,${mail.logo.data}`;
  }, [mail]);
  return (
    <div className="mail-preview">
      <p>
        <span className="hint">{s.settings.mailSubject}</span> <b>{mail.subject}</b>
      </p>
      <div ref={host} inert role="img" aria-label={s.settings.mail} />
    </div>
  );
}

const bodyOf = (page: string): string => /<body[^>]*>([\s\S]*)<\/body>/.exec(page)?.[1] ?? '';

/** The policy of this page refuses styles in markup, so a script applies them. */
const withoutStyles = (markup: string): string => markup.replaceAll(' style="', ' data-style="');

const noWords = { subject: null, greeting: null, footer: null };
const fields = [
  ['subject', mailSubjectCharactersMax],
  ['greeting', mailGreetingCharactersMax],
  ['footer', mailFooterCharactersMax],
] as const;

interface MailWordsProps {
  readonly settings: EndUserAuthConfigBody;
  readonly onChange: (part: Partial<EndUserAuthConfigBody>) => void;
}

export function MailWords({ settings, onChange }: MailWordsProps) {
  const s = useSignInSettingsTexts();
  const words = settings.mailWords ?? noWords;
  return (
    <fieldset className="card">
      <legend>{s.settings.mailWords}</legend>
      <p className="hint">{s.settings.mailWordsHint}</p>
      {fields.map(([name, charactersMax]) => {
        const shared = {
          value: words[name] ?? '',
          maxLength: charactersMax,
          onChange: ({ target }: { readonly target: { readonly value: string } }) =>
            onChange({ mailWords: { ...words, [name]: target.value === '' ? null : target.value } }),
        };
        return (
          <Field key={name} label={s.settings.mailFields[name]}>
            {(field) =>
              name === 'footer' ? <textarea rows={2} {...field} {...shared} /> : <input {...field} {...shared} />
            }
          </Field>
        );
      })}
    </fieldset>
  );
}
