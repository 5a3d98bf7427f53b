import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Argon2id, createPasswordHasher, hashesRunningMax } from './password-hash.ts';

const hasher = createPasswordHasher();
/** A client address in the directory of one account. */
const of = (subject: string, account = 'acc_1') => ({ account, subject });

describe('a password hash', () => {
  it('is argon2id at the OWASP cost, in PHC form, with its own salt', async () => {
    const [one, other] = await Promise.all([hasher.hash(of('a'), 'correct horse'), hasher.hash(of('a'), 'correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    const [salt, tag] = one.split('$').slice(4);
    const nonce = Buffer.from(salt as string, 'base64');
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const expected = argon2Sync('argon2id', { message: 'correct horse', nonce, ...cost });
    expect(Buffer.from(tag as string, 'base64')).toEqual(expected);
  });

  it('matches only its password', async () => {
    const phc = await hasher.hash(of('a'), 'correct horse');
    expect(await hasher.verify(of('a'), 'correct horse', phc)).toBe('right');
    for (const wrong of ['Correct horse', 'correct horse ', ' correct horse', 'correct hors', ''])
      expect(await hasher.verify(of('a'), wrong, phc)).toBe('wrong');
  });

  it('has twins: with its salt and cost, to compare a password by the same computation', async () => {
    const nonce = Buffer.alloc(16, 7);
    const tag = argon2Sync('argon2id', { memory: 8_192, passes: 1, parallelism: 1, tagLength: 32, message: 'one', nonce });
    const phc = `$argon2id$v=19$m=8192,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`;
    const twin = (await hasher.hash(of('a'), 'another', phc)) as string;
    expect(twin.split('$').slice(0, 5)).toEqual(phc.split('$').slice(0, 5));
    expect(await hasher.verify(of('a'), 'one', phc, twin)).toBe('outdated');
    expect(await hasher.verify(of('a'), 'another', phc, twin)).toBe('twin');
    expect(await hasher.verify(of('a'), 'neither', phc, twin)).toBe('wrong');
    const stranger = (await hasher.hash(of('a'), 'another')) as string;
    expect(await hasher.verify(of('a'), 'another', phc, stranger)).toBe('wrong');
  });

  it("is the same for every keyboard's form of a letter", async () => {
    const phc = await hasher.hash(of('a'), 'caf\u00e9 au lait');
    expect(await hasher.verify(of('a'), 'cafe\u0301 au lait', phc)).toBe('right');
  });

  it.each([
    [19_455, 2, 1, 'outdated'],
    [19_456, 1, 1, 'outdated'],
    [19_457, 3, 2, 'right'],
  ])('of %d KiB, %d passes and %d lanes is %s', async (memory, passes, parallelism, verdict) => {
    const nonce = Buffer.alloc(16, 7);
    const tag = argon2Sync('argon2id', { memory, passes, parallelism, tagLength: 32, message: 'correct horse', nonce });
    const phc = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
    expect(await hasher.verify(of('a'), 'correct horse', phc)).toBe(verdict);
    expect(await hasher.verify(of('a'), 'correct hors3', phc)).toBe('wrong');
  });

  it('that is invalid fails, and is not shown', async () => {
    const failing = hasher.verify(of('a'), 'x', '$2b$12$secret');
    await expect(failing).rejects.toThrow('not an argon2id hash');
    await expect(failing).rejects.not.toThrow('secret');
  });
});

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

describe('hash computations', () => {
  /** A hasher whose computations finish on command. */
  function held() {
    const ends: (() => void)[] = [];
    const passwords: string[] = [];
    const compute: Argon2id = async (password) => {
      passwords.push(password);
      await new Promise<void>((resolve) => ends.push(resolve));
      return new Uint8Array(32);
    };
    return { hasher: createPasswordHasher({ compute, runningMax: 2 }), ends, passwords };
  }

  it('take place once for every verification, with or without a hash', async () => {
    let computations = 0;
    const counting = createPasswordHasher({
      compute: async () => {
        computations += 1;
        return new Uint8Array(32);
      },
    });
    const phc = await counting.hash(of('a'), 'x');
    computations = 0;
    expect(await counting.verify(of('a'), 'x', phc)).toBe('right');
    expect(computations).toBe(1);
    expect(await counting.verify(of('a'), 'x', null)).toBe('wrong');
    expect(computations).toBe(2);
  });

  it('run two at a time; 32 wait, in order; more are refused as busy', async () => {
    const { hasher: few, ends, passwords } = held();
    const hashes = Array.from({ length: 34 }, (_, i) => few.hash(of(`address ${i}`, `acc_${i % 2}`), `${i}`));
    expect(await few.hash(of('one more'), 'x')).toBe('busy');
    expect(await few.verify(of('one more'), 'x', null)).toBe('busy');
    for (let done = 0; done < 34; done++) {
      expect(ends).toHaveLength(Math.min(done + 2, 34));
      ends[done]?.();
      await hashes[done];
      await Promise.resolve();
    }
    expect(passwords).toEqual(Array.from({ length: 34 }, (_, i) => `${i}`));
  });

  it('leave room for others if one address asks for many', async () => {
    const { hasher: few, ends } = held();
    const greedy = Array.from({ length: 20 }, () => few.hash(of('greedy'), 'x'));
    expect((await Promise.all(greedy.slice(8))).every((outcome) => outcome === 'busy')).toBe(true);
    const modest = few.hash(of('modest'), 'y');
    for (let done = 0; done < 9; done++) {
      await new Promise(setImmediate);
      ends[done]?.();
    }
    expect(await modest).not.toBe('busy');
    const again = few.hash(of('greedy'), 'z');
    await new Promise(setImmediate);
    ends[9]?.();
    expect(await again).not.toBe('busy');
  });

  it('of many addresses leave room for another one, and directories take turns', async () => {
    const { hasher: few, ends, passwords } = held();
    const crowd = Array.from({ length: 40 }, (_, i) => few.hash(of(`address ${i % 20}`), 'crowd'));
    const [neighbour, stranger] = [few.hash(of('neighbour'), 'neighbour'), few.hash(of('stranger', 'acc_2'), 'stranger')];
    const all = Promise.all([...crowd, neighbour, stranger]);
    await new Promise(setImmediate);
    for (let done = 0; done < passwords.length; done++) {
      ends[done]?.();
      await new Promise(setImmediate);
    }
    expect(await neighbour).not.toBe('busy');
    expect(await stranger).not.toBe('busy');
    expect((await all).filter((outcome) => outcome === 'busy').length).toBeGreaterThan(0);
    expect(passwords.indexOf('stranger')).toBeLessThan(4); // two were running, and one may have had its turn before
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [64, 3],
  ])('on %d cores run %d at a time, which leaves a thread of the runtime free', (cores, expected) => {
    expect(hashesRunningMax(cores)).toBe(expected);
  });

  it('make room for the next if they fail', async () => {
    const failing = createPasswordHasher({ compute: () => Promise.reject(new Error('no memory')) });
    for (let i = 0; i < 10; i++) await expect(failing.hash(of('a'), 'x')).rejects.toThrow('no memory');
  });
});
