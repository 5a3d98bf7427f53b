import { expect, test } from 'vitest';
import { createSubscriptions } from './subscriptions.ts';

test('the subscriptions of many projects take 8 MB at most: those unused for the longest time are read again', async () => {
  const read: string[] = [];
  const subscriptions = createSubscriptions({
    listWebhooks: async ({ slug }) => {
      read.push(slug);
      return [];
    },
    onAccessChange: () => undefined,
  });
  const look = (project: number) => subscriptions.ofNewPlayers({ accountId: 'acc_1', slug: `p${project}` });
  const projectsMax = (8 * 1024 * 1024) / 512;
  for (let project = 0; project <= projectsMax; project++) await look(project);
  read.length = 0;
  await look(projectsMax);
  await look(0);
  expect(read).toEqual(['p0']);
});
