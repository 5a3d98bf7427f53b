/** Responses do not reveal which addresses have an account. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPasswordWorld, type PasswordWorld, password, requester } from './passwords.fixture.ts';

const known = 'ada@example.com';
const unknown = 'nobody@example.com';
const chosen = 'what the stranger chose';
let world: PasswordWorld;

beforeEach(async () => {
  world = await openPasswordWorld();
  await world.newUser(known);
  world.pass(60 * 60_000); // the mail of that sign-up no longer counts
});
afterEach(() => world.dispose());

/** Signs up with somebody's address, then tries everything that might reveal more; returns the responses, without secrets. */
async function probe(email: string): Promise<unknown[]> {
  const { passwords, computed } = world;
  const at = requester({ address: `address of whoever asks for ${email}` });
  const answers: unknown[] = [];
  const note = (outcome: object) => answers.push({ ...outcome, ...('signUp' in outcome && { signUp: 'a secret' }) });
  const signIn = async (attempt: string) =>
    note(await passwords.signIn(at, { email, password: attempt, returnQuery: 'a=b' }));
  await signIn(chosen);
  const begun = await passwords.signUp(at, { email, password: chosen, name: null, returnQuery: 'a=b' });
  note(begun);
  computed.count = 0;
  await signIn(chosen);
  await signIn('another');
  answers.push(computed.count);
  const { signUp } = begun as { readonly signUp: string };
  note(await passwords.confirm(at, { signUp, code: 'none' }));
  note(await passwords.resendCode(at, signUp, 'a=b'));
  note(await passwords.requestReset(at, { email, returnQuery: 'a=b' }));
  for (let mails = 0; mails < 3; mails++) await signIn(chosen);
  return answers;
}

it('responses hide an account from a sign-up, and from a sign-in with the password chosen there', async () => {
  const answers = await probe(unknown);
  expect(answers.slice(0, 5)).toEqual([
    { kind: 'rejected' },
    { kind: 'code_sent', signUp: 'a secret' },
    { kind: 'unconfirmed', signUp: 'a secret' },
    { kind: 'rejected' },
    2,
  ]);
  expect(await probe(known)).toEqual(answers);
});

it("hidden attempts leave the owner's password unchanged, and tell the owner by mail", async () => {
  await world.mails();
  await probe(known);
  const mails = await world.mails();
  expect(mails.filter(({ subject }) => /\d{6}/.test(subject))).toEqual([]);
  const link = mails.find(({ subject }) => subject.startsWith('You already have'))?.secret ?? '';
  expect(await world.passwords.readReset(link)).toMatchObject({ kind: 'open', returnQuery: 'a=b' });
  const signedIn = await world.passwords.signIn(requester(), { email: known, password, returnQuery: '' });
  expect(signedIn).toMatchObject({ kind: 'signed_in' });
});
