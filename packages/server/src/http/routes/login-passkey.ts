/** Signing in with a passkey, and keeping one. */
import type { PageId } from '@holdfast/contract';
import { textsOf } from '../../login/language.ts';
import { continuePage } from '../../login/pages/continue.ts';
import type { Parameters } from '../../oauth/parameters.ts';
import type { Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Pages } from './login-pages.ts';
import type { Visitor } from './login-visit.ts';
import { callbackFields, refuseWay } from './login-ways.ts';

type PasskeyPageId = Extract<PageId, 'signInWithPasskey' | 'registerPasskey'>;

/** Returns the answers to what a browser made with a passkey. */
export function passkeyPages(pages: Pages): Readonly<Record<PasskeyPageId, Handler>> {
  const { ways, take } = pages;
  return {
    signInWithPasskey: take((visitor, form) =>
      ways.hasPassword(visitor) ? signIn(pages, visitor, form) : refuseWay(ways, visitor),
    ),
    registerPasskey: take((visitor, form) => register(pages, visitor, form)),
  };
}

async function signIn({ provider, ways }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  const { directory, browser, view } = visitor;
  const outcome = await provider.passkeys.signIn(directory, browser, answerIn(form));
  return outcome.kind === 'signed_in'
    ? ways.finish(visitor, { person: outcome.person, provider: 'password' })
    : ways.refuse(visitor, 422, textsOf(view.language).passkeyRejected);
}

/** Whatever became of the passkey, the sign-in goes on: with a new proof, or with the one that the page had. */
async function register({ provider, ways, reception }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  const { directory, browser, view } = visitor;
  const outcome = await provider.passkeys.register(directory, browser, answerIn(form));
  if (outcome.kind === 'registered') {
    return ways.finish(visitor, { person: outcome.person, provider: 'password', isPasskeyKept: true });
  }
  const fields = callbackFields(visitor, form.get('idp_id_token') ?? '');
  return visitor.reply(continuePage(view, { callback: reception.callback(), fields }));
}

function answerIn(form: Parameters): { ticket: string; credential: unknown } {
  return { ticket: form.get('ticket') ?? '', credential: parsed(form.get('credential') ?? '') };
}

/** The value of a JSON text; null, which is no credential, when it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
