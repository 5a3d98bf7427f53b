/** Runs the steps of verbs on the embedded engine: reads on this thread, writes on the writer thread, in its transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { QuotaLimits } from '../contract/usage.ts';
import { whenCleared } from '../sql/accounts/uncleared.ts';
import { runNow } from '../sql/steps.ts';
import { effectOf, nameOf, stepsOf } from '../sql/verb.ts';
import { bindSharedVerbs, type SharedVerbs, sharedVerb } from '../sql/verbs.ts';
import type { Dependencies } from './dependencies.ts';
import { engineSql } from './engine-sql.ts';
import { statements, translated } from './steps.ts';
import { smallCommandCharacters } from './writer/changes.ts';
import type { Commands } from './writer/commands.ts';

/** Returns the store methods that are written once for both engines. */
export function createSharedVerbs({
  cache,
  changeAccess,
  queue,
  reader,
  quotas,
}: Pick<Dependencies, 'cache' | 'changeAccess' | 'queue' | 'reader' | 'quotas'>): SharedVerbs {
  const setting = { quotas, engine: engineSql };
  const query = translated(
    (sql) => sql,
    (sql, values) => reader.all(sql, ...values),
  );
  /** Clears in bounded commands, so that other writes never wait for long. */
  const clear = async (accountId: string) => {
    while ((await queue.submit(smallCommandCharacters, 'clearAccount', accountId)) === 'going_on');
  };
  return bindSharedVerbs((verb, name, args) => {
    if (verb.kind === 'write') {
      const effect = effectOf(verb, args);
      return whenCleared(() => changeAccess(effect, name, args), clear);
    }
    const take = () => runNow(stepsOf(verb, setting, args), query);
    const record = nameOf(verb, args);
    return record === undefined ? take() : cache.remember(record, take);
  });
}

/** The verbs that write, on the writer thread. */
export function sharedVerbWrites(database: DatabaseSync, quotas: QuotaLimits): Pick<Commands, 'sharedVerb'> {
  const setting = { quotas, engine: engineSql };
  const query = statements(database);
  return { sharedVerb: (name, args) => runNow(stepsOf(sharedVerb(name), setting, args), query) };
}
