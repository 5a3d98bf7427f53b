/** How the distributed engine takes the steps of verbs: reads by themselves, writes in one transaction. */
import { runLater } from '../cold/steps.ts';
import { effectOf, stepsOf } from '../cold/verb.ts';
import { type ColdStore, coldStore } from '../cold/verbs.ts';
import type { Query } from './connection/query.ts';
import type { Parts } from './parts.ts';

/** Returns the methods of the store that are written once for both engines. */
export function createColdStore({ database, access, quotas }: Pick<Parts, 'database' | 'access' | 'quotas'>): ColdStore {
  return coldStore((verb, _name, args) => {
    const take = (query: Query) => runLater(stepsOf(verb, { quotas }, args), ({ sql, values }) => query(sql, values));
    if (verb.kind === 'read') return take(database.query);
    const { isolation = 'read committed' } = verb;
    const { takes, isWithoutEffect } = effectOf(verb, args);
    return takes === undefined
      ? database.transaction(isolation, take)
      : access.change(takes, take, isWithoutEffect, isolation);
  });
}
