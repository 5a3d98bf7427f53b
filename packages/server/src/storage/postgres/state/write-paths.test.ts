import { expect, test } from 'vitest';
import type { NewPublicState } from '../../contract/public-states.ts';
import { subscriberIds } from '../../contract/webhooks.ts';
import { type PathConditions, writePathOf } from './write-paths.ts';

const by = {} as NonNullable<NewPublicState['by']>;
const application = {} as NonNullable<NewPublicState['application']>;
const repeat = {} as NonNullable<NewPublicState['repeat']>;
const subscribers = subscriberIds(['webhook_1']);

const inTurn: PathConditions = { canJoin: true, canBeCollected: true, isSplit: false };
const alone: PathConditions = { ...inTurn, canJoin: false };
const ofUser: PathConditions = { ...alone, canBeCollected: false };
const split: PathConditions = { ...ofUser, isSplit: true };

test.each([
  ['public state', {}, inTurn, 'joint'],
  ['public state that is left alone', {}, alone, 'statement'],
  ['public state that can be repeated', { repeat }, inTurn, 'statement'],
  ['public state that webhooks subscribe to', { subscribers }, inTurn, 'joint'],
  ['the same, left alone', { subscribers }, alone, 'collected'],
  ['the same, repeatable', { subscribers, repeat }, inTurn, 'collected'],
  ['public state with an audit record', { by, repeat, subscribers }, inTurn, 'records'],
  ['public state of a proposal', { application }, inTurn, 'records'],
  ['user state', { repeat }, ofUser, 'statement'],
  ['a new guest that webhooks subscribe to', { subscribers }, ofUser, 'records'],
  ['user state with an audit record', { by }, ofUser, 'records'],
  ['state in a distributed database', { repeat }, split, 'steps'],
  ['the same that webhooks subscribe to', { subscribers }, split, 'records'],
  ['the same with an audit record', { by }, split, 'records'],
] as const)('%s takes its path', (_, write, conditions, path) => {
  expect(writePathOf(write, conditions)).toBe(path);
});
