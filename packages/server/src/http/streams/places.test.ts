import { expect, test } from 'vitest';
import { Refusal } from '../../common/refusal.ts';
import { type Holder, type Placed, Places } from './places.ts';

function room(streamsMax: number) {
  const places = new Places<Placed>({ streamsMax, random: Math.random });
  const ended: string[] = [];
  const open = (account: string, subject = account, isHeldByMany = false): Placed => {
    const holder: Holder = { account, subject, isHeldByMany };
    places.check(holder);
    const stream = { holder, makeRoom: () => void ended.push(account) };
    places.add(stream);
    return stream;
  };
  const refused = (account: string, subject = account, isHeldByMany = false) => {
    try {
      open(account, subject, isHeldByMany);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(5);
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(30);
      return error.code;
    }
  };
  return { places, open, refused, ended };
}

test('a credential has a thousand streams, and again one when one is closed', () => {
  const { places, open, refused } = room(20_000);
  const [first] = Array.from({ length: 1_000 }, () => open('a', 'key 1'));
  expect(refused('a', 'key 1')).toBe('rate_limited');
  expect(refused('a', 'key 2')).toBeUndefined();
  if (first !== undefined) places.delete(first);
  expect(refused('a', 'key 1')).toBeUndefined();
  expect(refused('a', 'key 1')).toBe('rate_limited');
});

test('an address has fifty streams with a credential that many hold', () => {
  const { open, refused } = room(20_000);
  for (let i = 0; i < 50; i++) open('a', 'key 1 192.0.2.1', true);
  expect(refused('a', 'key 1 192.0.2.1', true)).toBe('rate_limited');
  expect(refused('a', 'key 1 192.0.2.2', true)).toBeUndefined();
});

test('when all places are taken, an account with fewer streams gets one of the account with most', () => {
  const { places, open, refused, ended } = room(6);
  for (let i = 0; i < 5; i++) open('large', `key ${i}`);
  open('small');
  expect(refused('large')).toBe('service_unavailable');
  expect(refused('new')).toBeUndefined();
  expect(refused('small')).toBeUndefined();
  expect(ended).toEqual(['large', 'large']);
  expect(places.size).toBe(6);
  expect(refused('large')).toBe('service_unavailable');
  expect([refused('small'), refused('new')]).toEqual(['service_unavailable', undefined]);
  expect(places.size).toBe(6);
});

test('a stream that is closed twice frees one place', () => {
  const { places, open } = room(10);
  const stream = open('a');
  open('a');
  places.delete(stream);
  places.delete(stream);
  expect(places.size).toBe(1);
});
