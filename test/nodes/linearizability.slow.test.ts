import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRegister, type Observation, type Operation } from '../../torture/linearizability.ts';
import { isLinearizable } from './linearizability-search.ts';

type Times = readonly [calledAt: number, answeredAt: number];

const record = (version: number, contentHash = `content ${version}`) => ({ version, contentHash });

const read = (client: string, [calledAt, answeredAt]: Times, seen: number | null, content?: string): Operation => ({
  client,
  calledAt,
  answeredAt,
  call: { kind: 'read' },
  observation: seen === null ? { kind: 'absent' } : { kind: 'present', record: record(seen, content) },
});

const write = (
  client: string,
  [calledAt, answeredAt]: Times,
  expects: number | null,
  contentHash: string,
  observation: Observation,
): Operation => ({ client, calledAt, answeredAt, call: { kind: 'write', expects, contentHash }, observation });

/** A write of `content N` that was acknowledged as version N. */
const stored = (client: string, times: Times, version: number): Operation =>
  write(client, times, version === 1 ? null : version - 1, `content ${version}`, {
    kind: 'written',
    record: record(version),
  });

const refused = (client: string, times: Times, expects: number | null, currentVersion: number | null): Operation =>
  write(client, times, expects, `refused to ${client}`, { kind: 'conflict', currentVersion });

const lost = (client: string, times: Times, expects: number | null, content: string): Operation =>
  write(client, times, expects, content, { kind: 'unknown' });

const sound = [
  read('a', [0, 1], null),
  stored('a', [2, 4], 1),
  read('b', [3, 5], null),
  read('b', [6, 7], 1),
  stored('b', [8, 12], 2),
  read('c', [9, 10], 2),
  refused('c', [11, 13], 1, 2),
  stored('a', [14, 16], 3),
  read('b', [17, 18], 3),
];
const listed = [record(3), record(2), record(1)];

describe('accepts', () => {
  test.each<[string, readonly Operation[]]>([
    ['an empty history', []],
    ['a valid history', sound],
    [
      'a write without a response that took effect',
      [...sound, lost('c', [14, 20], 3, 'late'), read('a', [15, 30], 4, 'late')],
    ],
    [
      'a write without a response that took effect much later',
      [...sound, lost('c', [1, 2], 3, 'late'), read('a', [30, 31], 4, 'late')],
    ],
    [
      'a write without a response that never took effect',
      [...sound, lost('c', [14, 20], 3, 'never'), read('a', [21, 30], 3)],
    ],
    ['a read without a response', [...sound, { ...read('c', [5, 40], 1), observation: { kind: 'unknown' } }]],
    ['a version known only from a refusal', [...sound, lost('c', [14, 20], 3, 'late'), refused('a', [21, 22], 3, 4)]],
    ['reads of the old and new version during a write', [...sound, read('d', [13, 15], 2), read('e', [13, 15], 3)]],
  ])('%s', (_what, operations) => {
    expect(checkRegister(operations)).toEqual([]);
    expect(isLinearizable(operations)).toBe(true);
  });

  test.each<[string, readonly Operation[], typeof listed]>([
    ['a complete list', sound, listed],
    ['an empty list of an empty history', [lost('a', [0, 1], null, 'never')], []],
    ['a list that ends with a write without a response', [lost('a', [0, 1], null, 'late')], [record(1, 'late')]],
  ])('%s', (_what, operations, list) => {
    expect(checkRegister(operations, list)).toEqual([]);
  });
});

describe('refuses', () => {
  const rival = write('c', [8, 12], 1, 'rival', { kind: 'written', record: record(2, 'rival') });
  test.each<[string, readonly Operation[], RegExp]>([
    ['a lost update', [...sound, rival], /version 2 was acknowledged twice/],
    [
      'a lost update seen only in a read',
      [...sound, lost('c', [8, 12], 1, 'rival'), read('d', [19, 20], 2, 'rival')],
      /version 2 by the write on version 1 of c .* was acknowledged to the write on version 1 of b/,
    ],
    [
      'a repeated version',
      [...sound, { ...stored('c', [19, 20], 4), observation: { kind: 'written', record: record(3) } }],
      /twice/,
    ],
    [
      'a skipped version',
      [...sound, write('c', [19, 20], 3, 'x', { kind: 'written', record: record(5, 'x') })],
      /expected version 3 and/,
    ],
    [
      'an acknowledgement of other content',
      [...sound, write('c', [19, 20], 3, 'x', { kind: 'written', record: record(4) })],
      /with other content/,
    ],
    ['a stale read', [...sound, read('d', [19, 20], 2)], /knew version 3, .* the read of d .* found version 2/],
    ['an empty read after a write', [...sound, read('d', [19, 20], null)], /knew version 1, .* found nothing/],
    [
      'a read that goes back in time',
      [...sound, read('d', [14, 14.5], 3), read('d', [14.6, 15], 2)],
      /knew version 3, .* found version 2/,
    ],
    [
      'a read from the future',
      [...sound, read('d', [0, 1], 1)],
      /the read of d .* knew version 1, and after its answer .* found nothing/,
    ],
    ['content that nobody wrote', [...sound, read('d', [19, 20], 3, 'phantom')], /nobody wrote/],
    ['a version that nobody wrote', [...sound, refused('d', [19, 20], 2, 4)], /nobody can have made version 4/],
    [
      'content under the wrong version',
      [...sound, read('d', [19, 20], 3, 'content 2')],
      /as version 3 what .* wrote on version 1/,
    ],
    [
      'an acknowledged write that is missing',
      [...sound, stored('c', [19, 20], 4), refused('a', [21, 22], 2, 3)],
      /knew version 4, .* found version 3/,
    ],
    [
      'a refused write that took effect',
      [...sound, refused('d', [14, 15], 2, 3), read('e', [19, 20], 3, 'refused to d')],
      /refused/,
    ],
    [
      'a refusal without a reason',
      [...sound, refused('d', [19, 20], 3, 3)],
      /refused because of version 3, which it had expected/,
    ],
    ['a refusal with an old version', [...sound, refused('d', [19, 20], 1, 2)], /knew version 3, .* found version 2/],
    ['a refusal that found nothing', [...sound, refused('d', [19, 20], 1, null)], /found nothing/],
    [
      'two writes without a response with the same version',
      [
        lost('a', [0, 9], null, 'one'),
        lost('b', [0, 9], null, 'other'),
        read('c', [1, 2], 1, 'one'),
        read('d', [1, 2], 1, 'other'),
      ],
      /other content of version 1/,
    ],
    [
      'a write without a response, read before it was sent',
      [lost('a', [5, 9], null, 'one'), read('c', [1, 2], 1, 'one')],
      /before/,
    ],
  ])('%s', (_what, operations, fault) => {
    expect(checkRegister(operations).join('\n')).toMatch(fault);
    expect(isLinearizable(operations)).toBe(false);
  });

  test.each<[string, readonly Operation[], typeof listed, RegExp]>([
    ['a list without the newest version', sound, listed.slice(1), /version 3 was acknowledged to .* and is lost/],
    ['a list without a version in the middle', sound, [record(3), record(1)], /place 0 .* version 3 where 2 belongs/],
    ['a duplicate version', sound, [record(3), record(2), record(2), record(1)], /place 0 .* version 3 where 4 belongs/],
    ['a list in the wrong order', sound, listed.toReversed(), /place 0 .* version 1 where 3 belongs/],
    ['other content in the list', sound, [record(3), record(2, 'other'), record(1)], /nobody wrote/],
    ['a refused write in the list', sound, [record(4, 'refused to c'), ...listed], /was refused/],
    [
      'a list with other content than a read',
      [lost('a', [0, 9], null, 'one'), lost('b', [0, 9], null, 'other'), read('c', [1, 2], 1, 'one')],
      [record(1, 'other')],
      /the list of versions shows other content of version 1/,
    ],
    ['an empty list', sound, [], /version 3 was acknowledged to .* and is lost/],
  ])('%s', (_what, operations, list, fault) => {
    expect(checkRegister(operations, list).join('\n')).toMatch(fault);
  });
});

/** One operation of a generated history: its kind, time and outcome. */
const step = fc.record({
  moment: fc.integer({ min: 0, max: 20 }),
  before: fc.integer({ min: 0, max: 6 }),
  after: fc.integer({ min: 0, max: 6 }),
  isRead: fc.boolean(),
  /** How many versions its precondition is behind the current one. */
  behind: fc.constantFrom(0, 0, 0, 1, 2),
  answerIsLost: fc.constantFrom(false, false, false, true),
  isApplied: fc.boolean(),
});

/** A later change to a history. Most make it impossible. */
const change = fc.record({
  index: fc.nat(11),
  kind: fc.constantFrom('none', 'version', 'content', 'earlier', 'later', 'unanswered', 'absent', 'swap'),
  by: fc.integer({ min: 1, max: 3 }),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs the steps on a register in the order of their times. */
function simulate(steps: readonly Step[]): Operation[] {
  let current: ReturnType<typeof record> | undefined;
  return steps
    .toSorted((one, other) => one.moment - other.moment)
    .map(({ moment, before, after, isRead, behind, answerIsLost, isApplied }, index) => {
      const times = { client: `client ${index}`, calledAt: moment - before, answeredAt: moment + after };
      if (isRead) {
        const seen: Observation = current === undefined ? { kind: 'absent' } : { kind: 'present', record: current };
        return { ...times, call: { kind: 'read' }, observation: answerIsLost ? { kind: 'unknown' } : seen };
      }
      const expects = (current?.version ?? 0) - behind > 0 ? (current?.version ?? 0) - behind : null;
      const call = { kind: 'write', expects, contentHash: `content ${index}` } as const;
      const found = current?.version ?? null;
      if (expects !== found) {
        return {
          ...times,
          call,
          observation: answerIsLost ? { kind: 'unknown' } : { kind: 'conflict', currentVersion: found },
        };
      }
      if (answerIsLost && !isApplied) return { ...times, call, observation: { kind: 'unknown' } };
      current = record((found ?? 0) + 1, call.contentHash);
      return { ...times, call, observation: answerIsLost ? { kind: 'unknown' } : { kind: 'written', record: current } };
    });
}

function disturb(operations: readonly Operation[], { index, kind, by }: Change): readonly Operation[] {
  const operation = operations[index % operations.length] as Operation;
  const other = operations[(index + by) % operations.length] as Operation;
  return operations.with(index % operations.length, changed(operation, other, kind, by));
}

function changed(operation: Operation, other: Operation, kind: Change['kind'], by: number): Operation {
  const { observation, calledAt, answeredAt } = operation;
  switch (kind) {
    case 'none':
      return operation;
    case 'earlier':
      return { ...operation, calledAt: calledAt - by * 4, answeredAt: answeredAt - by * 4 };
    case 'later':
      return { ...operation, calledAt: calledAt + by * 4, answeredAt: answeredAt + by * 4 };
    case 'unanswered':
      return { ...operation, observation: { kind: 'unknown' } };
    case 'absent':
      return operation.call.kind === 'read' ? { ...operation, observation: { kind: 'absent' } } : operation;
    case 'swap':
      return operation.call.kind === other.call.kind ? { ...operation, observation: other.observation } : operation;
    case 'version':
      if (observation.kind === 'conflict') return { ...operation, observation: { ...observation, currentVersion: by } };
      return 'record' in observation
        ? { ...operation, observation: { ...observation, record: { ...observation.record, version: by } } }
        : operation;
    case 'content':
      return 'record' in observation
        ? { ...operation, observation: { ...observation, record: { ...observation.record, contentHash: `content ${by}` } } }
        : operation;
  }
}

test('agrees with a search through all orders, on sound and tampered histories', () => {
  const verdicts = { held: 0, broken: 0 };
  const histories = fc.tuple(fc.array(step, { minLength: 1, maxLength: 11 }), fc.array(change, { maxLength: 4 }));
  fc.assert(
    fc.property(histories, ([steps, changes]) => {
      const whole = simulate(steps);
      expect(checkRegister(whole)).toEqual([]);
      const history = changes.reduce<readonly Operation[]>(disturb, whole);
      const isSound = isLinearizable(history);
      verdicts[isSound ? 'held' : 'broken']++;
      expect(checkRegister(history).length === 0).toBe(isSound);
    }),
    { numRuns: 5_000 },
  );
  // Histories of only one verdict would prove nothing.
  expect(Math.min(verdicts.held, verdicts.broken)).toBeGreaterThan(500);
});
