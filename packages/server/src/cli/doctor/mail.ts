/** Asks the configured mail server whether it would accept mails. */
import { type SmtpFault, trySmtp } from '../../identity/built-in/mails/smtp.ts';
import { type Answer, answerMilliseconds, answersOf } from './findings.ts';

/** Connects, greets, switches to TLS and signs in, as the service does for a mail. Sends nothing. */
export async function askMailServer(smtpUrl: string): Promise<Answer> {
  const { protocol, host } = new URL(smtpUrl);
  const { good, bad } = answersOf('mail', `the mail server ${protocol}//${host}`);
  const fault = await trySmtp(smtpUrl, answerMilliseconds);
  if (fault === undefined) return good('takes mails');
  const { answer, advice } = wordsOf(fault);
  return bad('error', answer, `${advice}; mails are not delivered until then`);
}

const wrongAddress = 'make sure that it runs and that SVC_SMTP_URL is its address, and that no firewall is in between';

const words: Readonly<Record<string, { readonly answer: string; readonly advice: string }>> = {
  ECONNREFUSED: { answer: 'takes no connection', advice: wrongAddress },
  ETIMEDOUT: { answer: `does not answer within ${answerMilliseconds / 1000} s`, advice: wrongAddress },
  ENOTFOUND: {
    answer: 'has a name that cannot be resolved',
    advice: 'correct the name in SVC_SMTP_URL, or the name server',
  },
  EAUTH: {
    answer: 'refuses the user name or the password',
    advice: 'correct the credentials in SVC_SMTP_URL; characters such as @ and / are written as %40 and %2F there',
  },
  ETLS: {
    answer: 'offers no TLS that can be used',
    advice: 'use smtps:// if it expects TLS from the start, or let it offer STARTTLS: a password is sent only over TLS',
  },
};

function wordsOf({ code, status, isOfCertificate }: SmtpFault): { readonly answer: string; readonly advice: string } {
  const detail = [code, status].filter((part) => part !== null).join(' ');
  if (isOfCertificate) {
    const advice =
      'give it a certificate for its name from a public authority, or name its authority in NODE_EXTRA_CA_CERTS';
    return { answer: `has a certificate that is not trusted (${detail})`, advice };
  }
  const { answer, advice } = words[code === 'EDNS' ? 'ENOTFOUND' : code] ?? {
    answer: 'cannot be used',
    advice: wrongAddress,
  };
  return { answer: `${answer} (${detail})`, advice };
}
