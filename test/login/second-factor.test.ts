/** The second factor of developers, by forms: normal use and attacks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormClient, type FormClient, fillIn, type PageAnswer } from '../../tooling/forms.ts';
import {
  type AccountWorld,
  claimsOf,
  faultOf,
  noticeOf,
  openAccountWorld,
  password,
  recoveryOf,
  stepMilliseconds,
  titleOf,
  updateAccount,
} from './account-world.ts';

let at: AccountWorld;
beforeAll(async () => {
  at = await openAccountWorld({ SVC_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => at.world.stop());

/** A developer with an app that was set up some time ago. */
async function withApp() {
  const person = await at.newPerson();
  const app = await at.setUpApp(person);
  at.pass(2 * stepMilliseconds);
  return { ...person, ...app };
}

const codePath = '/authorize/second-step';

describe('an authenticator app', () => {
  it('is active after a first valid code, and required after the password', async () => {
    const person = await at.newPerson();
    const { begun, done, secret, recovery } = await at.setUpApp(person);
    expect(begun.text).toContain('<svg');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(titleOf(done)).toBe('Save your recovery codes – Holdfast');
    expect(recovery).toHaveLength(10);
    const form = createFormClient(at.world.baseUrl);
    const asked = await at.enter(form, person.address);
    expect([asked.status, titleOf(asked)]).toEqual([200, 'One more step – Holdfast']);
    expect(asked.text).not.toContain('idp_id_token');
    at.pass(stepMilliseconds);
    const finished = await form.send(asked, codePath, {
      code: at
        .codeOf(secret)
        .replace(/(...)/, '$1\u2013\u200b')
        .replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
    });
    const tokens = await at.redeem(await at.comeBack(form, finished));
    expect(claimsOf(tokens.access_token)).toMatchObject({ svc_account_id: person.accountId });
    const { held } = fillIn(finished.text, '/v1/auth/authorize/callback');
    expect(claimsOf(held.idp_id_token ?? '').amr).toEqual(['pwd', 'otp', 'mfa']);
  });

  it('is not active before, nor after a wrong code', async () => {
    const person = await at.newPerson();
    const page = await at.openAccount(person);
    const begun = await at.act(person, page, 'begin-second-factor');
    const held = { set_up: /name="set_up" value="([^"]*)"/.exec(begun.text)?.[1] ?? '' };
    const wrong = await at.act(person, begun, 'confirm-second-factor', { ...held, code: '000000' });
    expect([wrong.status, at.secretOf(wrong)]).toEqual([422, at.secretOf(begun)]);
    expect(titleOf(await at.enter(createFormClient(at.world.baseUrl), person.address))).toContain('Signed in');
    // One person's set-up does not work for another.
    const other = await at.newPerson();
    const stolen = await at.act(other, await at.openAccount(other), 'confirm-second-factor', {
      ...held,
      code: at.codeOf(at.secretOf(begun)),
    });
    expect(stolen.status).toBe(422);
  });

  it('accepts each code once, and none from an earlier time', async () => {
    const { address, secret } = await withApp();
    const code = at.codeOf(secret);
    const [one, other] = [createFormClient(at.world.baseUrl), createFormClient(at.world.baseUrl)];
    const [first, second] = [await at.enter(one, address), await at.enter(other, address)];
    expect(titleOf(await one.send(first, codePath, { code }))).toContain('Signed in');
    for (const replayed of [code, at.codeOf(secret, at.now() - stepMilliseconds)]) {
      const refused = await other.send(second, codePath, { code: replayed });
      expect([refused.status, faultOf(refused)]).toEqual([422, expect.stringContaining('was already used')]);
    }
    at.pass(stepMilliseconds);
    expect(titleOf(await other.send(second, codePath, { code: at.codeOf(secret) }))).toContain('Signed in');
  });

  it('accepts one of many simultaneous uses of a code', async () => {
    const { address, secret } = await withApp();
    const forms = Array.from({ length: 4 }, () => createFormClient(at.world.baseUrl));
    const pages = await Promise.all(forms.map((form) => at.enter(form, address)));
    const code = at.codeOf(secret);
    const answers = await Promise.all(forms.map((form, i) => form.send(pages[i] as never, codePath, { code })));
    expect(answers.filter((answer) => titleOf(answer).includes('Signed in'))).toHaveLength(1);
  });

  it('makes guessers wait after five attempts, even simultaneous ones in many browsers, but not the owner', async () => {
    const { address, secret, form } = await withApp();
    const guessers = Array.from({ length: 3 }, () => createFormClient(at.world.baseUrl));
    const pages = await Promise.all(guessers.map((guesser) => at.enter(guesser, address)));
    // Input that cannot be a code does not count as an attempt.
    for (const code of ['12345', '1234567', 'abc', '\u0661\u0662']) {
      expect((await (guessers[0] as FormClient).send(pages[0] as PageAnswer, codePath, { code })).status).toBe(422);
    }
    const guesses = Array.from({ length: 12 }, (_, i) => i);
    const answers = await Promise.all(
      guesses.map((i) =>
        (guessers[i % 3] as (typeof guessers)[0]).send(pages[i % 3] as never, codePath, { code: `00000${i % 10}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    // Even the right code must wait there; a device with an earlier sign-in by the owner has separate attempts.
    const right = await (guessers[0] as (typeof guessers)[0]).send(pages[0] as never, codePath, {
      code: at.codeOf(secret),
    });
    expect(right.status).toBe(429);
    expect(titleOf(await form.send(await at.enter(form, address), codePath, { code: at.codeOf(secret) }))).toContain(
      'Signed in',
    );
    at.pass(16 * 60_000);
    const later = await at.enter(createFormClient(at.world.baseUrl), address);
    expect(titleOf(later)).toBe('One more step – Holdfast');
  });

  it('stays usable for its owner on a new device, or with recovery codes, during any attack with the password', async () => {
    const { address, secret, recovery } = await withApp();
    const tryFrom = async (client: string, form: FormClient, page: PageAnswer, code: string) => {
      const { action, held } = fillIn(page.text, codePath);
      return form.post(action, { ...held, code }, { 'X-Forwarded-For': client });
    };
    const guesser = createFormClient(at.world.baseUrl);
    const guess = async (client: string) => {
      const page = await at.enter(guesser, address);
      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await tryFrom(client, guesser, page, `00000${i}`)).status);
      return statuses;
    };
    expect(await guess('203.0.113.1')).toEqual([...Array(5).fill(422), 429]);
    at.pass(16 * 60_000);
    expect(await guess('203.0.113.1')).toEqual([...Array(5).fill(422), 429]);
    at.pass(16 * 60_000);
    expect(await guess('203.0.113.1')).toEqual(Array(6).fill(429)); // ten a day per client address
    const device = createFormClient(at.world.baseUrl);
    const asked = await at.enter(device, address);
    expect(titleOf(await tryFrom('198.51.100.1', device, asked, at.codeOf(secret)))).toContain('Signed in');
    // All clients together have 30 attempts a day; after that, a recovery code still works.
    for (const client of ['203.0.113.2', '203.0.113.3']) {
      await guess(client);
      at.pass(16 * 60_000);
      await guess(client);
    }
    at.pass(stepMilliseconds);
    const other = createFormClient(at.world.baseUrl);
    const page = await at.enter(other, address);
    expect((await tryFrom('198.51.100.2', other, page, at.codeOf(secret))).status).toBe(429);
    expect(titleOf(await tryFrom('198.51.100.2', other, page, recovery[0] ?? ''))).toContain('Signed in');
  });

  it('cannot be bypassed by another browser’s form, a late one or a repeated one', async () => {
    const { address, secret } = await withApp();
    const [one, other] = [createFormClient(at.world.baseUrl), createFormClient(at.world.baseUrl)];
    const asked = await at.enter(one, address);
    await at.enter(other, address);
    const { held } = fillIn(asked.text, codePath);
    const page = await at.enter(other, address);
    const stolen = await other.send(page, codePath, {
      ...held,
      csrf: fillIn(page.text, codePath).held.csrf ?? '',
      code: at.codeOf(secret),
    });
    expect([stolen.status, titleOf(stolen)]).toEqual([410, expect.stringContaining('Sign in')]);
    const forged = await other.send(page, codePath, { csrf: held.csrf ?? '', code: at.codeOf(secret) });
    expect(forged.status).toBe(403);
    const elsewhere = await one.post(
      fillIn(asked.text, codePath).action,
      { ...held, code: at.codeOf(secret) },
      { 'Sec-Fetch-Site': 'cross-site' },
    );
    expect(elsewhere.status).toBe(403);
    at.pass(stepMilliseconds);
    expect(titleOf(await one.send(asked, codePath, { code: at.codeOf(secret) }))).toContain('Signed in');
    at.pass(stepMilliseconds);
    expect((await one.send(asked, codePath, { code: at.codeOf(secret) })).status).toBe(410);
    const late = await at.enter(other, address);
    at.pass(11 * 60_000);
    expect((await other.send(late, codePath, { code: at.codeOf(secret) })).status).toBe(410);
  });

  it('refuses proof of an earlier sign-in', async () => {
    const person = await at.newPerson();
    const form = createFormClient(at.world.baseUrl);
    const before = await at.enter(form, person.address);
    await at.setUpApp(person);
    const back = await at.comeBack(form, before);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('error_description')).toBe('a second factor was set up after this sign-in');
  });

  it('stays after a password reset by mail', async () => {
    const { address, secret } = await withApp();
    const form = createFormClient(at.world.baseUrl);
    const forgot = await form.get(at.world.authorizeUrl(undefined, {}, '/authorize/forgot'));
    await form.send(forgot, '/authorize/forgot', { email: address });
    const mail = await at.world.mailTo(address, 1);
    const page = await form.get(mail.link ?? '');
    const done = await form.send(page, '/authorize/reset', { password: 'another long password' });
    expect(done.text).toContain('Your passkeys and your second factor have not changed.');
    const asked = await at.enter(form, address, at.authorizeUrl(), 'another long password');
    expect(titleOf(asked)).toBe('One more step – Holdfast');
    expect(titleOf(await form.send(asked, codePath, { code: at.codeOf(secret) }))).toContain('Signed in');
  });

  it('is replaced by recovery codes, each once, in any spelling', async () => {
    const { address, recovery, form, secret } = await withApp();
    const [code = ''] = recovery;
    const first = await at.enter(form, address);
    expect(titleOf(await form.send(first, codePath, { code: ` ${code.toUpperCase().replaceAll('-', ' ')}` }))).toContain(
      'Signed in',
    );
    const again = await at.enter(form, address);
    expect((await form.send(again, codePath, { code })).status).toBe(422);
    const page = await at.openAccount({ address, form, accountId: '' }, undefined, () => at.codeOf(secret));
    expect(page.text).toContain('Recovery codes left: 9.');
    const renewed = recoveryOf(await at.act({ form }, page, 'renew-recovery-codes'));
    expect(new Set([...renewed, ...recovery]).size).toBe(20);
    const old = await at.enter(form, address);
    expect((await form.send(old, codePath, { code: recovery[1] ?? '' })).status).toBe(422);
    const fresh = await form.send(old, codePath, { code: renewed[1] ?? '' });
    expect(titleOf(fresh)).toContain('Signed in');
  });

  it('is no longer required after it is removed', async () => {
    const { address, form, accountId, secret } = await withApp();
    const page = await at.openAccount({ address, form, accountId }, undefined, () => at.codeOf(secret));
    expect(noticeOf(await at.act({ form }, page, 'remove-second-factor'))).toContain('no longer work');
    expect(titleOf(await at.enter(createFormClient(at.world.baseUrl), address))).toContain('Signed in');
  });

  it('is removed by the operator, with passkeys and sessions', async () => {
    const { address, form, secret } = await withApp();
    const asked = await at.enter(form, address);
    const strong = await at.redeem(await at.comeBack(form, await form.send(asked, codePath, { code: at.codeOf(secret) })));
    at.pass(1_000);
    const { store } = at.world.server.running;
    const user = await store.findUserByEmail(null, address);
    expect(await store.forgetFactors(null, user?.userId ?? '', at.now())).toBe('forgotten');
    expect((await at.refresh(strong)).status).toBe(400);
    at.pass(1_000);
    expect(titleOf(await at.enter(form, address))).toContain('Signed in');
  });

  it('stores nothing useful to a reader of the database', async () => {
    const { secret, recovery, address } = await withApp();
    const kept = await at.world.server.place.storedText();
    expect(kept).toContain(address); // shows that the person's data was read
    const shown = [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))];
    expect(shown.filter((text) => kept.includes(text))).toEqual([]);
  });
});

describe('an account that requires a second factor', () => {
  it('ends sessions without one, and makes its members set one up', async () => {
    const { address, form, accountId } = await at.newPerson();
    const weak = await at.redeem(await at.comeBack(form, await at.enter(form, address)));
    expect((await at.refresh(weak)).status).toBe(200);
    const unused = await at.comeBack(form, await at.enter(form, address));
    const before = await at.enter(form, address);
    const other = await at.redeem(await at.comeBack(form, await at.enter(form, address)));

    expect(await updateAccount(at.world, accountId, { requireSecondFactor: true })).toMatchObject({
      status: 200,
      body: { accountId, requireSecondFactor: true },
    });
    const { status, headers } = await at.world.server.call('GET', `/v1/${accountId}`, {
      headers: { Authorization: `Bearer ${other.access_token}` },
    });
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('requires a second factor')]);
    expect(await at.refresh(other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expect(at.redeem(unused)).rejects.toThrow('400');
    const refused = await at.comeBack(form, before);
    expect(refused.searchParams.get('error')).toBe('access_denied');
    expect(refused.searchParams.get('error_description')).toMatch(/requires a second factor/);

    const asked = await at.enter(form, address);
    expect(titleOf(asked)).toBe('Set up an authenticator app – Holdfast');
    expect(asked.text).not.toContain('idp_id_token');
    const wrong = await form.send(asked, '/authorize/second-step/set-up', { code: '12345' });
    expect([wrong.status, at.secretOf(wrong)]).toEqual([422, at.secretOf(asked)]);
    const codes = await form.send(wrong, '/authorize/second-step/set-up', { code: at.codeOf(at.secretOf(asked)) });
    expect(recoveryOf(codes)).toHaveLength(10);
    const strong = await at.redeem(await at.comeBack(form, await form.send(codes, codePath, {})));
    expect((await at.refresh(strong)).status).toBe(200);
    // Each step worked only once.
    expect((await form.send(codes, codePath, {})).status).toBe(410);
    expect((await form.send(asked, '/authorize/second-step/set-up', { code: at.codeOf(at.secretOf(asked)) })).status).toBe(
      410,
    );
  });

  it('can drop the requirement, and refuses updates without a change', async () => {
    const { accountId, address, form } = await at.newPerson();
    await updateAccount(at.world, accountId, { requireSecondFactor: true });
    expect(await updateAccount(at.world, accountId, { requireSecondFactor: false, name: 'New' })).toMatchObject({
      status: 200,
      body: { name: 'New', requireSecondFactor: false },
    });
    expect(titleOf(await at.enter(form, address))).toContain('Signed in');
    for (const body of [{}, { requireSecondFactor: null }, { requireSecondFactor: 'yes' }, { unknown: true }]) {
      expect(await updateAccount(at.world, accountId, body)).toMatchObject({
        status: 400,
        body: { error: 'validation_error' },
      });
    }
  });

  it('is revealed only to those who know the password', async () => {
    const { accountId, address, form } = await at.newPerson();
    await updateAccount(at.world, accountId, { requireSecondFactor: true });
    const refused = await at.enter(form, address, at.authorizeUrl(), `${password}!`);
    const unknown = await at.enter(form, 'nobody@mail.example', at.authorizeUrl(), `${password}!`);
    expect([refused.status, noticeOf(refused)]).toEqual([unknown.status, noticeOf(unknown)]);
  });
});
