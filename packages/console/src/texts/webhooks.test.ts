import { webhookEvents } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { texts as webhooksDe } from './webhooks-de.ts';
import { texts as webhooksEn } from './webhooks-en.ts';

it.each(Object.entries({ webhooksEn, webhooksDe }))('every event of webhooks has a name and a group in %s', (_, texts) => {
  const types = Object.keys(webhookEvents);
  expect(types.filter((type) => !Object.hasOwn(texts.eventNames, type))).toEqual([]);
  expect(new Set(types.map((type) => type.split('.')[0]))).toEqual(new Set(Object.keys(texts.eventGroups)));
});
