import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { temporary } from '../temporary.fixture.ts';

const { directory, open } = temporary();

const threadIds = () => readdirSync('/proc/self/task').map(Number);

test.runIf(process.platform === 'linux')('the writer has a lower priority than the request thread', async () => {
  const before = threadIds();
  await open({ dataDir: directory() });
  const added = threadIds().filter((id) => !before.includes(id));
  const isWriter = (id: number) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim() === 'storage writer';
  expect(added.filter(isWriter).map((id) => getPriority(id))).toEqual([
    Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW),
  ]);
  expect(added.filter((id) => !isWriter(id)).every((id) => getPriority(id) === getPriority())).toBe(true);
});
