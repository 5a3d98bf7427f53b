/**
 * A project's own words in mails: a subject, a greeting, a footer. Mails come from the operator's domain, so the operator must allow such
 * words, and they are plain text without addresses and domains.
 */
import { isOneLine, type SignInSettings } from '@holdfast/contract';
import { invalidMember } from '../common/requests/refusal.ts';
import { carriesAddress } from '../common/text/shown-text.ts';

type MailWords = NonNullable<SignInSettings['mailWords']>;
type SentWords = Partial<MailWords> | null | undefined;

/**
 * Returns a project's words after a change; undefined for those of the service. `undefined` as a change keeps them, and null drops them.
 * Throws `validation_error` for words with an address, and for new ones while the operator does not allow any.
 */
export function changedMailWords(
  present: MailWords | undefined,
  sent: SentWords,
  areAllowed: boolean,
): MailWords | undefined {
  if (sent === undefined) return present;
  const { subject = null, greeting = null, footer = null } = sent ?? {};
  const words = { subject, greeting, footer };
  if (Object.values(words).every((each) => each === null)) return undefined;
  if (JSON.stringify(words) === JSON.stringify(present)) return present;
  if (!areAllowed) {
    throw invalidMember(
      'mailWords',
      'is not allowed by this installation: its operator can allow it with SVC_MAIL_TEXTS=allowed',
    );
  }
  for (const [name, text] of Object.entries(words)) {
    if (text === null) continue;
    if (carriesAddress(text)) throw invalidMember(`mailWords/${name}`, 'contains an address or a domain: remove it');
    if (!isOneLine(name === 'footer' ? text.replaceAll('\n', '') : text)) {
      throw invalidMember(
        `mailWords/${name}`,
        `has a control character${name === 'footer' ? ' other than a line end' : ''}`,
      );
    }
  }
  return words;
}
