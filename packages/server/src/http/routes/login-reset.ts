/** A new password for a forgotten one. */
import type { PageId } from '@holdfast/contract';
import { deviceSeconds } from '../../identity/built-in/device-token.ts';
import { parseEmail } from '../../identity/built-in/password-rules.ts';
import { textsOf } from '../../login/language.ts';
import { forgotPage, forgotSentPage, resetDonePage, resetPage } from '../../login/pages/reset.ts';
import { type Parameters, readParameters } from '../../oauth/parameters.ts';
import type { Exchange, Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Pages } from './login-pages.ts';
import { faultTexts, waiting } from './login-password.ts';
import { isReply, type Visitor } from './login-visit.ts';
import { refuseWay } from './login-ways.ts';

type ResetPageId = Extract<PageId, 'readForgotPage' | 'requestReset' | 'readResetPage' | 'resetPassword'>;

/** Returns the pages of a reset. */
export function resetPages(pages: Pages): Readonly<Record<ResetPageId, Handler>> {
  const { ways, show, take } = pages;
  return {
    readForgotPage: show((visitor) =>
      ways.hasPassword(visitor)
        ? visitor.reply(forgotPage(visitor.view, { email: visitor.parameters.get('login_hint')?.slice(0, 320) }))
        : refuseWay(ways, visitor),
    ),
    requestReset: take((visitor, form) => requestReset(pages, visitor, form)),
    readResetPage: (exchange) => readReset(pages, exchange),
    resetPassword: (exchange) => resetPassword(pages, exchange),
  };
}

async function requestReset({ provider, ways }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  if (!ways.hasPassword(visitor)) return refuseWay(ways, visitor);
  const { view } = visitor;
  const texts = textsOf(view.language);
  const email = form.get('email')?.trim() ?? '';
  if (parseEmail(email) === undefined) {
    const faults = { email: email === '' ? texts.email_missing : texts.email_malformed };
    return visitor.reply(forgotPage(view, { email, faults, isAnswer: true }), { status: 422 });
  }
  const outcome = await provider.passwords.requestReset(visitor.visit, { email, returnQuery: visitor.query });
  if (outcome.kind === 'sent') return visitor.reply(forgotSentPage(view, email));
  const { status, headers, notice } = waiting(visitor, outcome);
  return visitor.reply(forgotPage(view, { email, notice, isAnswer: true }), { status, headers });
}

/** The link of the mail says by its token alone whose page this is and where sign-in goes on. */
async function readReset({ provider, reception }: Pages, exchange: Exchange): Promise<Reply> {
  reception.demandServed(exchange);
  const token = readParameters(exchange.query).get('token') ?? '';
  const reset = await provider.passwords.readReset(token);
  if (reset.kind === 'expired') return expired(reception, exchange, '');
  const visitor = await reception.receive(exchange, reset.returnQuery);
  return isReply(visitor) ? visitor : visitor.reply(resetPage(visitor.view, { token, email: reset.email }));
}

async function resetPassword({ provider, reception }: Pages, exchange: Exchange): Promise<Reply> {
  reception.demandServed(exchange);
  const form = readParameters(await exchange.readForm());
  const refusal = reception.refuseForm(exchange, form, exchange.query);
  if (refusal !== undefined) return refusal;
  const token = form.get('token') ?? '';
  const reset = await provider.passwords.readReset(token);
  if (reset.kind === 'expired') return expired(reception, exchange, exchange.query);
  const visitor = await reception.receive(exchange, reset.returnQuery);
  if (isReply(visitor)) return visitor;
  const { view } = visitor;
  const outcome = await provider.passwords.resetPassword(visitor.visit, { token, password: form.get('password') ?? '' });
  const page = { token, email: reset.email, isAnswer: true };
  switch (outcome.kind) {
    case 'changed':
      return visitor.reply(resetDonePage(view), {
        headers: reception.cookies.set('device', outcome.deviceToken, deviceSeconds),
      });
    case 'invalid':
      return visitor.reply(resetPage(view, { ...page, faults: faultTexts(visitor, outcome.faults) }), { status: 422 });
    case 'expired':
      return expired(reception, exchange, reset.returnQuery);
    default: {
      const { status, headers, notice } = waiting(visitor, outcome);
      return visitor.reply(resetPage(view, { ...page, notice }), { status, headers });
    }
  }
}

/** `query` is where sign-in began, if that is known still. */
function expired(reception: Pages['reception'], exchange: Exchange, query: string): Reply {
  const language = reception.languageOf(exchange, readParameters(query));
  const texts = textsOf(language);
  const text = query === '' ? texts.resetExpiredNameless : texts.resetExpired;
  return reception.message(language, { title: texts.resetExpiredTitle, texts: [text] }, query, 410);
}
