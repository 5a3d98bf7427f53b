/** The current user, on pages that ask whether this tab should leave that account. */
import { call } from '../api/http.ts';
import { type Holder, personName } from '../api/session.ts';
import type { VisitorTexts } from '../texts/visitor-en.ts';
import { facts } from './page.ts';

/** Returns a function that draws account and person. */
export async function holderFacts(holder: Holder): Promise<(t: VisitorTexts) => HTMLElement> {
  const { accountId } = holder;
  const account = await call('readAccount', { params: { accountId } }).catch(() => undefined);
  return (t) =>
    facts([t.session.account, account?.name ?? accountId], [t.session.who, personName(holder, t.session.operator)]);
}
