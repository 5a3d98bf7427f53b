/** How the distributed engine takes the steps of verbs: reads by themselves, writes in one transaction. */
import { effectOf, stepsOf, whenCleared } from '../cold/verb.ts';
import { type ColdStore, coldStore } from '../cold/verbs.ts';
import type { Query } from './connection/query.ts';
import type { Dependencies } from './dependencies.ts';
import { ownSteps } from './own-steps.ts';
import { takeSteps } from './steps.ts';
import { sweepAccount } from './sweep/sweep.ts';

/** Returns the methods of the store that are written once for both engines. */
export function createColdStore({
  database,
  access,
  quotas,
  queues,
  bucketSecret,
}: Pick<Dependencies, 'database' | 'access' | 'quotas' | 'queues' | 'bucketSecret'>): ColdStore {
  const setting = { quotas, own: ownSteps(bucketSecret) };
  return coldStore((verb, _name, args) => {
    const take = (query: Query) => takeSteps(query, stepsOf(verb, setting, args));
    if (verb.kind === 'read') return take(database.query);
    const { isolation = 'read committed' } = verb;
    const { takes, orderedBy, isWithoutEffect } = effectOf(verb, args);
    const call = () => {
      if (isolation === 'statement') return take(database.query);
      return takes === undefined
        ? database.transaction(isolation, take)
        : access.change(takes, take, isWithoutEffect, isolation);
    };
    const change = () => whenCleared(call, (accountId) => sweepAccount(database, accountId));
    return orderedBy === undefined ? change() : queues.run(orderedBy, change);
  });
}
