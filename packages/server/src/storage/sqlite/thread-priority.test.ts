import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { temporary } from './test-directory.ts';

const { directory, open } = temporary();

test.runIf(process.platform === 'linux')('the writer goes behind the thread that serves requests', async () => {
  await open({ dataDir: directory() });
  const threads = readdirSync('/proc/self/task').map((id) => ({
    name: readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
    priority: getPriority(Number(id)),
  }));
  const requests = getPriority();
  expect(threads.filter(({ priority }) => priority !== requests)).toEqual([
    { name: 'storage writer', priority: requests + 5 },
  ]);
});
