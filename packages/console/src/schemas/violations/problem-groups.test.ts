import { expect, it } from 'vitest';
import { groupedProblems } from './problem-groups.ts';

const quest = (id: string, gold: number) => ({ id, reward: { gold } });
const document = { limit: 0, quests: [quest('reef', 900), quest('0', 10), quest('kelp', 950)], 'a/b': [[5, 6]] };
const problem = (path: string, message: string) => ({ path, message, severity: 'error' as const });

it('has the entries of a list that break one rule in one group, with their identifiers and values', () => {
  const groups = groupedProblems(document, [
    problem('/quests/0/reward/gold', 'must be at most 800'),
    problem('/limit', 'must be at least 1'),
    problem('/quests/2/reward/gold', 'must be at most 800'),
    problem('/quests/0/reward/gold', 'must be even'),
  ]);
  expect(
    groups.map(({ path, message, problems }) => [path, message, problems.map((one) => [one.path, one.value])]),
  ).toEqual([
    [
      ['quests', null, 'reward', 'gold'],
      'must be at most 800',
      [
        [['quests', 'reef', 'reward', 'gold'], 900],
        [['quests', 'kelp', 'reward', 'gold'], 950],
      ],
    ],
    [['limit'], 'must be at least 1', [[['limit'], 0]]],
    [['quests', null, 'reward', 'gold'], 'must be even', [[['quests', 'reef', 'reward', 'gold'], 900]]],
  ]);
});

it('takes a segment of a list as a position, reads escaped names, and has no value where there is none', () => {
  const groups = groupedProblems(document, [
    problem('/quests/1/reward/gold', 'a'),
    problem('/a~1b/0/1', 'b'),
    problem('/limit/deep', 'c'),
    problem('', 'd'),
  ]);
  expect(groups.map(({ path, problems }) => [path, problems[0]?.path, problems[0]?.value])).toEqual([
    [['quests', null, 'reward', 'gold'], ['quests', '0', 'reward', 'gold'], 10],
    [['a/b', null, null], ['a/b', '0', '1'], 6],
    [['limit', 'deep'], ['limit', 'deep'], undefined],
    [[], [], document],
  ]);
});
