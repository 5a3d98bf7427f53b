import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.ts';

const owner = (account: string, subject: string) => ({ account, subject });

test('an account takes no more than it leaves to others, and so does each of its users', () => {
  const budget = new BodyBudget(400);
  const [first, second, third] = ['1', '2', '3'].map((subject) => budget.hold(owner('a', subject)));
  expect([first?.take(100), first?.take(1)]).toEqual([true, false]);
  expect([second?.take(50), second?.take(1)]).toEqual([true, false]);
  expect([third?.take(25), third?.take(1)]).toEqual([true, false]);
  const other = budget.hold(owner('b', '1'));
  expect([other.take(100), other.take(1)]).toEqual([true, false]);
});

test('released room can be taken again', () => {
  const budget = new BodyBudget(400);
  for (let time = 0; time < 3; time++) {
    const held = budget.hold(owner('a', '1'));
    expect([held.take(30), held.take(70), held.take(1)]).toEqual([true, true, false]);
    held.release();
    held.release();
  }
});
