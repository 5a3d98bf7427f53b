/** Forms with the longest possible fields: the answers are fast, and no other client waits for them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFormClient, type FormClient, type PageAnswer } from '../../tooling/forms.ts';
import { watchTurns } from '../support/held-turn.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

let world: LoginWorld;
let client: LoginClient;

beforeAll(async () => {
  world = await openLoginWorld();
  client = await world.newClient();
});
afterAll(() => world.stop());

/** Bytes that one field may take; the whole form has 65,536. */
const fieldBytes = 61_000;
const fill = (text: string) => text.repeat(Math.floor(fieldBytes / Buffer.byteLength(text)));
/** Alternating marks of two classes, which composition must sort. */
const marks = fill('\u0315\u0300');

const texts: readonly (readonly [string, string])[] = [
  ['one repeated letter', fill('a')],
  ['repeated @ signs', `a${fill('@')} x`],
  ['dots', `a@${fill('a.')}`],
  ['combining marks in the wrong order', `a${marks}`],
  ['combining marks in an address', `a${marks}@example.com`],
  ['digits', fill('9')],
  ['spaces', `a${fill(' ')}a`],
  ['quotes', fill('"')],
  ['backslashes', fill('\\')],
  ['look-alike letters', fill('\uff41')],
];

/** Length of the longest string that is composed in negligible time. */
const composedUnitsMax = 4_096;
/** Processor time; the forms above took one to seven seconds. */
const heldMillisecondsMax = 300;
const attemptsMax = 3;

let people = 0;
/** The fields, with a new user each time, since repeated guesses at one password are refused. */
const ofSomebody = (fields: Readonly<Record<string, string>>) =>
  'email' in fields ? { ...fields, email: `ada-${people++}@example.com` } : fields;

/** Sends a form; measures how long that held the event loop, and the longest string that was composed. */
async function sendWatched(form: FormClient, page: PageAnswer, path: string, fields: Readonly<Record<string, string>>) {
  const compose = vi.spyOn(String.prototype, 'normalize');
  try {
    const { result: answer, heldMilliseconds } = await watchTurns(() => form.sendPlain(page, path, fields));
    const composedUnits = Math.max(0, ...compose.mock.contexts.map((text) => String(text).length));
    return { status: answer.status, composedUnits, heldMilliseconds };
  } finally {
    compose.mockRestore();
  }
}

describe.each([
  ['/authorize/sign-in', '/authorize', 'email', { password: 'correct horse battery' }],
  ['/authorize/sign-in', '/authorize', 'password', { email: 'ada@example.com' }],
  ['/authorize/sign-up', '/authorize/sign-up', 'email', { password: 'correct horse battery' }],
  ['/authorize/sign-up', '/authorize/sign-up', 'password', { email: 'ada@example.com' }],
  ['/authorize/sign-up', '/authorize/sign-up', 'name', { email: 'ada@example.com', password: 'correct horse battery' }],
  ['/authorize/forgot', '/authorize/forgot', 'email', {}],
])('the form of %s (on %s), field %s', (path, shown, field, others) => {
  it.each(texts)('with %s is refused quickly', async (_, text) => {
    const held: number[] = [];
    do {
      const form = createFormClient(world.baseUrl);
      const page = await form.get(world.authorizeUrl(client, {}, shown));
      const { status, composedUnits, heldMilliseconds } = await sendWatched(form, page, path, {
        ...ofSomebody(others),
        [field]: text,
      });
      expect(status).toBe(422);
      expect(composedUnits).toBeLessThanOrEqual(composedUnitsMax);
      held.push(heldMilliseconds);
    } while (Math.min(...held) >= heldMillisecondsMax && held.length < attemptsMax);
    expect(Math.min(...held)).toBeLessThan(heldMillisecondsMax);
  });
});
