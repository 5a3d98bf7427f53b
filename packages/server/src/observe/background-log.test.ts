import { expect, test } from 'vitest';
import { createBackgroundLog } from './background-log.ts';
import { createLog } from './log.ts';

/** A log of background work, its lines, and a clock that is set by hand. */
function setUp() {
  const lines: Record<string, unknown>[] = [];
  const counted: string[] = [];
  const clock = { now: 1_000_000 };
  const background = createBackgroundLog({
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    count: (task) => counted.push(task),
    now: () => clock.now,
  });
  return { lines, counted, clock, background };
}

test('a failure is logged immediately, then once a minute with its count', () => {
  const { lines, counted, clock, background } = setUp();
  for (let second = 0; second < 121; second++) {
    background.onBackgroundFailure('sweep', new Error(`failure of second ${second}`));
    clock.now += 1_000;
  }
  expect(lines.map(({ level, task, failures }) => [level, task, failures])).toEqual([
    ['error', 'sweep', 1],
    ['error', 'sweep', 60],
    ['error', 'sweep', 60],
  ]);
  expect(lines[1]).toMatchObject({
    error: { message: 'failure of second 60' },
    msg: expect.stringContaining('tried again'),
  });
  expect(counted).toHaveLength(121);
});

test('tasks are logged separately', () => {
  const { lines, background } = setUp();
  background.onBackgroundFailure('sweep', new Error('one'));
  background.onBackgroundFailure('writer', new Error('another'));
  expect(lines.map(({ task }) => task)).toEqual(['sweep', 'writer']);
});

test('success after a failure is logged once, and alternating failures still once a minute', () => {
  const { lines, clock, background } = setUp();
  background.onBackgroundRecovery('sweep');
  for (let second = 0; second < 60; second++) {
    background.onBackgroundFailure('sweep', new Error('a failure'));
    background.onBackgroundRecovery('sweep');
    clock.now += 1_000;
  }
  expect(lines.map(({ msg }) => String(msg).slice(0, 24))).toEqual([
    'background work failed; ',
    'background work succeeds',
  ]);
  background.onBackgroundFailure('sweep', new Error('a failure'));
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatchObject({ level: 'error', failures: 60 });
});
