/** How the distributed engine takes the steps of verbs: reads by themselves, writes in one transaction. */
import { first } from '../cold/steps.ts';
import { effectOf, type OwnSteps, stepsOf, whenCleared } from '../cold/verb.ts';
import { type ColdStore, coldStore } from '../cold/verbs.ts';
import type { Query } from './connection/query.ts';
import type { Parts } from './parts.ts';
import { userSignIns } from './sign-in/user-sign-ins.ts';
import { takeSteps } from './steps.ts';
import { sweepAccount } from './sweep/sweep.ts';

/** The steps that verbs take in tables of this engine. */
const own: OwnSteps = {
  ...userSignIns,
  *isUncleared(accountId) {
    // No row: everything was cleared away.
    const sql = 'SELECT 1 AS found FROM orphans WHERE account_id = $1 AND project_id IS NULL LIMIT 1';
    return (yield* first(sql, accountId)) !== undefined;
  },
};

/** Returns the methods of the store that are written once for both engines. */
export function createColdStore({ database, access, quotas }: Pick<Parts, 'database' | 'access' | 'quotas'>): ColdStore {
  const setting = { quotas, own };
  return coldStore((verb, _name, args) => {
    const take = (query: Query) => takeSteps(query, stepsOf(verb, setting, args));
    if (verb.kind === 'read') return take(database.query);
    const { isolation = 'read committed' } = verb;
    const { takes, isWithoutEffect } = effectOf(verb, args);
    const call = () =>
      takes === undefined ? database.transaction(isolation, take) : access.change(takes, take, isWithoutEffect, isolation);
    return whenCleared(call, (accountId) => sweepAccount(database, accountId));
  });
}
