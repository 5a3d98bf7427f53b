import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Argon2id, createPasswordHasher } from './password-hash.ts';

const hasher = createPasswordHasher();

describe('a password hash', () => {
  it('is argon2id at the cost that OWASP names, in PHC form, with a salt of its own', async () => {
    const [one, other] = await Promise.all([hasher.hash('a', 'correct horse'), hasher.hash('a', 'correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    const [salt, tag] = one.split('$').slice(4);
    const nonce = Buffer.from(salt as string, 'base64');
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const expected = argon2Sync('argon2id', { message: 'correct horse', nonce, ...cost });
    expect(Buffer.from(tag as string, 'base64')).toEqual(expected);
  });

  it('fits its password and no other', async () => {
    const phc = await hasher.hash('a', 'correct horse');
    expect(await hasher.verify('a', 'correct horse', phc)).toBe('right');
    for (const wrong of ['Correct horse', 'correct horse ', ' correct horse', 'correct hors', ''])
      expect(await hasher.verify('a', wrong, phc)).toBe('wrong');
  });

  it('has twins: of its salt and cost, with which a password is compared by the same computation', async () => {
    const nonce = Buffer.alloc(16, 7);
    const tag = argon2Sync('argon2id', { memory: 8_192, passes: 1, parallelism: 1, tagLength: 32, message: 'one', nonce });
    const phc = `$argon2id$v=19$m=8192,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`;
    const twin = (await hasher.hash('a', 'another', phc)) as string;
    expect(twin.split('$').slice(0, 5)).toEqual(phc.split('$').slice(0, 5));
    expect(await hasher.verify('a', 'one', phc, twin)).toBe('outdated');
    expect(await hasher.verify('a', 'another', phc, twin)).toBe('twin');
    expect(await hasher.verify('a', 'neither', phc, twin)).toBe('wrong');
    const stranger = (await hasher.hash('a', 'another')) as string;
    expect(await hasher.verify('a', 'another', phc, stranger)).toBe('wrong');
  });

  it('is the same for a letter that keyboards compose differently', async () => {
    const phc = await hasher.hash('a', 'caf\u00e9 au lait');
    expect(await hasher.verify('a', 'cafe\u0301 au lait', phc)).toBe('right');
  });

  it.each([
    [19_455, 2, 1, 'outdated'],
    [19_456, 1, 1, 'outdated'],
    [19_457, 3, 2, 'right'],
  ])('of %d KiB, %d passes and %d lanes is %s', async (memory, passes, parallelism, verdict) => {
    const nonce = Buffer.alloc(16, 7);
    const tag = argon2Sync('argon2id', { memory, passes, parallelism, tagLength: 32, message: 'correct horse', nonce });
    const phc = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
    expect(await hasher.verify('a', 'correct horse', phc)).toBe(verdict);
    expect(await hasher.verify('a', 'correct hors3', phc)).toBe('wrong');
  });

  it('that is none fails, and is not shown', async () => {
    const failing = hasher.verify('a', 'x', '$2b$12$secret');
    await expect(failing).rejects.toThrow('no argon2id hash');
    await expect(failing).rejects.not.toThrow('secret');
  });
});

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

describe('computations', () => {
  /** A hasher whose computations end when they are told to. */
  function held() {
    const ends: (() => void)[] = [];
    const passwords: string[] = [];
    const compute: Argon2id = async (password) => {
      passwords.push(password);
      await new Promise<void>((resolve) => ends.push(resolve));
      return new Uint8Array(32);
    };
    return { hasher: createPasswordHasher(compute), ends, passwords };
  }

  it('are one for every verification, hash or none', async () => {
    let computations = 0;
    const counting = createPasswordHasher(async () => {
      computations += 1;
      return new Uint8Array(32);
    });
    const phc = await counting.hash('a', 'x');
    computations = 0;
    expect(await counting.verify('a', 'x', phc)).toBe('right');
    expect(computations).toBe(1);
    expect(await counting.verify('a', 'x', null)).toBe('wrong');
    expect(computations).toBe(2);
  });

  it('run two at once; 32 wait, in order; more are told that it is busy', async () => {
    const { hasher: few, ends, passwords } = held();
    const hashes = Array.from({ length: 34 }, (_, i) => few.hash(`address ${i}`, `${i}`));
    expect(await few.hash('one more', 'x')).toBe('busy');
    expect(await few.verify('one more', 'x', null)).toBe('busy');
    for (let done = 0; done < 34; done++) {
      expect(ends).toHaveLength(Math.min(done + 2, 34));
      ends[done]?.();
      await hashes[done];
      await Promise.resolve();
    }
    expect(passwords).toEqual(Array.from({ length: 34 }, (_, i) => `${i}`));
  });

  it('leave room for others when one address asks for many', async () => {
    const { hasher: few, ends } = held();
    const greedy = Array.from({ length: 20 }, () => few.hash('greedy', 'x'));
    expect((await Promise.all(greedy.slice(8))).every((outcome) => outcome === 'busy')).toBe(true);
    const modest = few.hash('modest', 'y');
    for (let done = 0; done < 9; done++) {
      await new Promise(setImmediate);
      ends[done]?.();
    }
    expect(await modest).not.toBe('busy');
    const again = few.hash('greedy', 'z');
    await new Promise(setImmediate);
    ends[9]?.();
    expect(await again).not.toBe('busy');
  });

  it('that fail make room for the next', async () => {
    const failing = createPasswordHasher(() => Promise.reject(new Error('no memory')));
    for (let i = 0; i < 10; i++) await expect(failing.hash('a', 'x')).rejects.toThrow('no memory');
  });
});
