/** Runs the steps of verbs on the distributed engine: reads individually, writes in one transaction. */

import type { RevokedToken } from '../contract/sign-ins.ts';
import { whenCleared } from '../sql/accounts/uncleared.ts';
import { effectOf, stepsOf } from '../sql/verb.ts';
import { bindSharedVerbs, type SharedVerbs } from '../sql/verbs.ts';
import type { Query } from './connection/query.ts';
import type { Dependencies } from './dependencies.ts';
import { engineSql } from './engine-sql.ts';
import { takeSteps } from './steps.ts';
import { sweepAccount } from './sweep/sweep.ts';

/** Returns the store methods that are written once for both engines. */
export function createSharedVerbs({
  database,
  access,
  ended,
  quotas,
  queues,
  bucketSecret,
}: Pick<Dependencies, 'database' | 'access' | 'ended' | 'quotas' | 'queues' | 'bucketSecret'>): SharedVerbs {
  const engine = engineSql(bucketSecret);
  return bindSharedVerbs((verb, _name, args) => {
    let endedNow: RevokedToken[] = [];
    const setting = { quotas, engine, reportRevoked: (tokens: readonly RevokedToken[]) => void endedNow.push(...tokens) };
    const take = (query: Query) => {
      endedNow = []; // this may be another attempt
      return takeSteps(query, stepsOf(verb, setting, args));
    };
    if (verb.kind === 'read') return take(database.query);
    const { isolation = 'read committed' } = verb;
    const { invalidates, orderedBy, locked: turn, isWithoutEffect } = effectOf(verb, args);
    const call = () => {
      if (isolation === 'statement') return take(database.query);
      return invalidates === undefined
        ? database.transaction(isolation, take, turn)
        : access.change(invalidates, take, isWithoutEffect, isolation, turn);
    };
    const change = () => whenCleared(call, (accountId) => sweepAccount(database, accountId));
    const outcome = orderedBy === undefined ? change() : queues.run(orderedBy, change);
    return outcome.then((result) => {
      if (endedNow.length > 0) ended.notify(endedNow);
      return result;
    });
  });
}
