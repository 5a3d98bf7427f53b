/** Texts about refused forms with passwords and codes. */
import type { Throttled } from '../identity/built-in/directory.ts';
import type { Busy } from '../identity/built-in/passwords/password-identity.ts';
import type { Fault } from '../identity/built-in/passwords/password-rules.ts';
import type { Faults, Notice } from './fields.ts';
import { duration, textsOf } from './language.ts';
import type { LoginSession } from './session/login-session.ts';

const busySeconds = 3;

/** Returns a page's text about a wait. */
export function waiting({ view }: LoginSession, outcome: Throttled | Busy, hasOtherWays = false) {
  const texts = textsOf(view.language);
  const seconds = outcome.kind === 'busy' ? busySeconds : outcome.retryAfterSeconds;
  const throttled = texts.throttled(duration(view.language, seconds));
  const text = outcome.kind === 'busy' ? texts.busy : hasOtherWays ? `${throttled} ${texts.throttledWays}` : throttled;
  const notice: Notice = { isBad: true, text };
  return { status: outcome.kind === 'busy' ? 503 : 429, headers: ['Retry-After', String(seconds)], notice };
}

const fieldOf: Readonly<Record<Fault, 'email' | 'name' | 'password'>> = {
  email_malformed: 'email',
  email_deceptive: 'email',
  name_long: 'name',
  password_short: 'password',
  password_long: 'password',
  password_common: 'password',
};

/** Returns faults by field, in the order of the fields. */
export function faultTexts({ view }: LoginSession, faults: readonly Fault[]): Faults {
  const texts = textsOf(view.language);
  const order = Object.keys(fieldOf);
  const sorted = [...faults].sort((one, two) => order.indexOf(one) - order.indexOf(two));
  return Object.fromEntries(sorted.map((fault) => [fieldOf[fault], texts[fault]]));
}
