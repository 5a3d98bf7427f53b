/** Strangers who use an email address cannot block its owner's mails or use up the owner's code. */
import { expect, it } from 'vitest';
import { browserAt, causeMails, startMailing, world } from './strangers.fixture.ts';

const mails = 6;
startMailing(mails);

it('strangers’ wrong codes and mails leave the owner of an address a mail and a valid code', async () => {
  const email = 'grace@mail.example';
  for (let stranger = 0; stranger < 8; stranger++) {
    const { send, signUp } = await browserAt(`203.0.113.${stranger}`);
    const sign_up = await signUp(email);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await send('/authorize/confirm', { sign_up, code: '000000' })).status);
    expect(statuses).toEqual([...Array(5).fill(422), 410]);
  }
  const owner = await browserAt('198.51.100.77');
  const sign_up = await owner.signUp(email);
  const { code = '' } = await world.mailTo(email, 8);
  const done = await owner.send('/authorize/confirm', { sign_up, code });
  expect(done.status).toBe(200);
  expect(done.headers.getSetCookie().join()).toContain('device='); // signed in
});

it('one client address can cause only as many mails as the setting allows', () => causeMails(mails));
