import { expect, test } from 'vitest';
import { account as accountOf, type CreateStoreHarness, hashOf, unusualTexts, withStore } from '../harness.ts';
import { createUser, signUpOf } from './identity-records.ts';

export function identitySignUps(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const confirm = (name: string, code = 'code', userId = 'usr_1', now = 2_000) =>
    at.store.confirmSignUp(hashOf(name), hashOf(code), { userId, createdAt: now }, now);

  test('a sign-up comes back unchanged until it expires; adding one requires its account', async () => {
    expect(await at.store.addSignUp(hashOf('s'), signUpOf('acc_1'))).toBe('no_account');
    await at.store.createAccount(accountOf());
    const texts = ['ada@example.com', ...unusualTexts];
    const added = texts.flatMap((text) => [
      signUpOf('acc_1', text, { name: text }),
      signUpOf(null, text, { name: null, createdAt: 2_000 }),
    ]);
    for (const [i, signUp] of added.entries()) {
      expect(await at.store.addSignUp(hashOf(`sign-up ${i}`), signUp)).toBe('added');
    }
    await at.reopen();
    for (const [i, signUp] of added.entries()) {
      expect(await at.store.findSignUp(hashOf(`sign-up ${i}`), 59_999)).toEqual(signUp);
      expect(await at.store.findSignUp(hashOf(`sign-up ${i}`), 60_000)).toBeUndefined();
      expect(await at.store.findSignUpByEmail(signUp.accountId, signUp.emailKey, 59_999)).toEqual(signUp);
      expect(await at.store.findSignUpByEmail(signUp.accountId, signUp.emailKey, 60_000)).toBeUndefined();
    }
    expect(await at.store.findSignUp(hashOf('other'), 1)).toBeUndefined();
    expect(await at.store.findSignUpByEmail('acc_2', 'ada@example.com', 1)).toBeUndefined();
  });

  test('an address finds its newest sign-up, or the last one added if times are equal', async () => {
    const signUps = [3_000, 1_000, 3_000, 2_000].map((createdAt, i) =>
      signUpOf(null, 'a@b.c', { createdAt, name: `${i}` }),
    );
    for (const [i, signUp] of signUps.entries()) await at.store.addSignUp(hashOf(`sign-up ${i}`), signUp);
    expect(await at.store.findSignUpByEmail(null, 'a@b.c', 5_000)).toEqual(signUps[2]);
  });

  test('the right code creates the user once and deletes every sign-up for the address', async () => {
    await at.store.createAccount(accountOf());
    const signUp = signUpOf('acc_1', 'Ada@Example.com');
    for (const name of ['s', 't']) await at.store.addSignUp(hashOf(name), signUp);
    await at.store.addSignUp(hashOf('u'), signUpOf(null, 'Ada@Example.com'));
    const user = {
      accountId: 'acc_1',
      userId: 'usr_1',
      createdAt: 2_000,
      resetAt: null,
      email: 'Ada@Example.com',
      emailKey: 'ada@example.com',
      name: 'Ada',
      passwordHash: signUp.passwordHash,
    };
    expect(await confirm('s')).toEqual({ kind: 'confirmed', user });
    for (const name of ['s', 't']) expect(await confirm(name, 'code', 'usr_2')).toEqual({ kind: 'unknown' });
    await at.reopen();
    expect(await at.store.findUser('acc_1', 'usr_1')).toEqual(user);
    expect(await at.store.findUserByEmail('acc_1', 'ada@example.com')).toEqual(user);
    expect(await at.store.findUserByEmail(null, 'ada@example.com')).toBeUndefined();
    expect(await confirm('u', 'code', 'usr_3')).toMatchObject({ kind: 'confirmed', user: { accountId: null } });
  });

  test('all forms of a domain give the same address', async () => {
    const unicode = 'ada@b\u00fccher.example';
    const ascii = 'ada@xn--bcher-kva.example';
    for (const [stored, other] of [
      [unicode, ascii],
      [ascii, unicode],
    ] as const) {
      const directory = stored === ascii ? null : 'acc_1';
      if (directory !== null) await at.store.createAccount(accountOf());
      await at.store.addSignUp(hashOf(`other of ${stored}`), signUpOf(directory, other));
      expect(await at.store.findSignUpByEmail(directory, stored, 2_000)).toMatchObject({ email: other });
      const { userId } = await createUser(at.store, directory, stored);
      for (const key of [stored, other]) {
        expect(await at.store.findUserByEmail(directory, key)).toMatchObject({ userId, email: stored });
        expect(await at.store.findHolderOfEmail(directory, key)).toMatchObject({ userId });
      }
      expect(await confirm(`other of ${stored}`)).toEqual({ kind: 'unknown' });
    }
  });

  test('a local part in another case is another address, unless it was signed up that way', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null, '\u00d6da@b.c'));
    expect(await confirm('s')).toMatchObject({ kind: 'confirmed', user: { emailKey: '\u00f6da@b.c' } });
    expect(await at.store.findUserByEmail(null, '\u00d6da@b.c')).toMatchObject({ userId: 'usr_1' });
    await at.store.addSignUp(hashOf('t'), signUpOf(null, '\u00fcda@b.c'));
    expect(await confirm('t', 'code', 'usr_2')).toMatchObject({ kind: 'confirmed' });
    expect(await at.store.findUserByEmail(null, '\u00dcda@b.c')).toBeUndefined();
    expect(await at.store.findHolderOfEmail(null, '\u00dcda@b.c')).toBeUndefined();
  });

  test('a lower-case key from an older release is found by every form of the address', async () => {
    const [stored, typed] = ['\u00d6\u00dfda@B\u00dcCHER.example', '\u00d6\u00dfda@xn--bcher-kva.example'];
    await at.store.createAccount(accountOf());
    await at.store.addSignUp(hashOf('s'), signUpOf(null, stored));
    expect(await confirm('s')).toMatchObject({ user: { email: stored, emailKey: '\u00f6\u00dfda@b\u00fccher.example' } });
    const asUnicode = typed.replace('xn--bcher-kva', 'b\u00fccher');
    for (const key of [typed, asUnicode, asUnicode.replace('.', '\u3002')]) {
      expect(await at.store.findUserByEmail(null, key)).toMatchObject({ userId: 'usr_1' });
    }
    await at.store.addSignUp(hashOf('t'), { ...signUpOf(null, typed), emailKey: typed });
    expect(await confirm('t', 'code', 'usr_2')).toEqual({ kind: 'unknown' });
  });

  test('a wrong code uses up an attempt, and after the last attempt the right code fails too', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null, 'a@b.c', { attemptsLeft: 2 }));
    expect(await confirm('s', 'other')).toEqual({ kind: 'wrong_code', attemptsLeft: 1 });
    await at.reopen();
    expect(await confirm('s', 'other')).toEqual({ kind: 'wrong_code', attemptsLeft: 0 });
    expect(await confirm('s')).toEqual({ kind: 'unknown' });
    expect(await at.store.findSignUp(hashOf('s'), 2_000)).toMatchObject({ attemptsLeft: 0 });
    expect(await at.store.findUserByEmail(null, 'a@b.c')).toBeUndefined();
  });

  test('an expired sign-up is unknown and cannot be renewed', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null));
    const next = { codeHash: hashOf('next'), attemptsLeft: 5, expiresAt: 90_000 };
    expect(await confirm('s', 'code', 'usr_1', 60_000)).toEqual({ kind: 'unknown' });
    expect(await at.store.renewSignUp(hashOf('s'), next, 60_000)).toBe('unknown');
    expect(await at.store.renewSignUp(hashOf('t'), next, 1_000)).toBe('unknown');
    expect(await confirm('s', 'code', 'usr_1', 59_999)).toMatchObject({ kind: 'confirmed' });
  });

  test('a renewed sign-up has a new code, new attempts and a new expiry', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null, 'a@b.c', { attemptsLeft: 1 }));
    await confirm('s', 'other');
    const next = { codeHash: hashOf('next'), attemptsLeft: 5, expiresAt: 90_000 };
    expect(await at.store.renewSignUp(hashOf('s'), next, 2_000)).toBe('renewed');
    expect(await at.store.findSignUp(hashOf('s'), 60_000)).toEqual({ ...signUpOf(null, 'a@b.c'), ...next });
    expect(await confirm('s')).toEqual({ kind: 'wrong_code', attemptsLeft: 4 });
    expect(await confirm('s', 'next')).toMatchObject({ kind: 'confirmed' });
  });

  test('of 20 parallel uses of the right code, exactly one creates the user', async () => {
    const beside = await at.openParallel();
    await at.store.addSignUp(hashOf('s'), signUpOf(null));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? at.store : beside).confirmSignUp(
          hashOf('s'),
          hashOf('code'),
          { userId: `usr_${i}`, createdAt: 2_000 },
          2_000,
        ),
      ),
    );
    const winners = outcomes.filter(({ kind }) => kind === 'confirmed');
    expect(winners).toHaveLength(1);
    expect(winners).toMatchObject([{ user: { ...(await at.store.findUserByEmail(null, 'ada@example.com')) } }]);
  });

  test('20 parallel guesses use no more than the available attempts', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => confirm('s', 'other')));
    expect(outcomes.filter(({ kind }) => kind === 'wrong_code')).toHaveLength(5);
    expect(await confirm('s')).toEqual({ kind: 'unknown' });
  });

  test('a sign-up creates no second user for an address that somebody else proved first', async () => {
    const user = await createUser(at.store, null);
    await at.store.addSignUp(hashOf('late'), signUpOf(null));
    expect(await confirm('late', 'code', 'usr_2')).toEqual({ kind: 'unknown' });
    expect(await at.store.findUserByEmail(null, 'ada@example.com')).toEqual(user);
    expect(await at.store.findUser(null, 'usr_2')).toBeUndefined();
    expect(await at.store.findSignUp(hashOf('late'), 2_000)).toBeUndefined();
  });

  test('a sign-up in a deleted account is unknown, even after the account is created again', async () => {
    await at.store.createAccount(accountOf());
    await at.store.addSignUp(hashOf('s'), signUpOf('acc_1'));
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(accountOf());
    expect(await at.store.findSignUp(hashOf('s'), 2_000)).toBeUndefined();
    expect(await at.store.findSignUpByEmail('acc_1', 'ada@example.com', 2_000)).toBeUndefined();
    expect(await confirm('s')).toEqual({ kind: 'unknown' });
  });
}
