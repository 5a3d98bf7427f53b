/** How the embedded engine takes the steps of verbs: reads on this thread, writes on the writer thread, in its transaction. */
import type { DatabaseSync } from 'node:sqlite';
import { runNow } from '../cold/steps.ts';
import { effectOf, nameOf, stepsOf, whenCleared } from '../cold/verb.ts';
import { type ColdStore, coldStore, coldVerb } from '../cold/verbs.ts';
import type { QuotaLimits } from '../usage-store.ts';
import type { Dependencies } from './dependencies.ts';
import { ownSteps } from './own-steps.ts';
import { statements, translated } from './steps.ts';
import { smallCommandCharacters } from './writer/changes.ts';
import type { Commands } from './writer/commands.ts';

/** Returns the methods of the store that are written once for both engines. */
export function createColdStore({
  cache,
  changeAccess,
  queue,
  reader,
  quotas,
}: Pick<Dependencies, 'cache' | 'changeAccess' | 'queue' | 'reader' | 'quotas'>): ColdStore {
  const setting = { quotas, own: ownSteps };
  const query = translated(
    (sql) => sql,
    (sql, values) => reader.all(sql, ...values),
  );
  /** Clears away in bounded commands, so that other writes never wait for long. */
  const clear = async (accountId: string) => {
    while ((await queue.submit(smallCommandCharacters, 'clearAccount', accountId)) === 'going_on');
  };
  return coldStore((verb, name, args) => {
    if (verb.kind === 'write') {
      const effect = effectOf(verb, args);
      return whenCleared(() => changeAccess(effect, name, args), clear);
    }
    const take = () => runNow(stepsOf(verb, setting, args), query);
    const record = nameOf(verb, args);
    return record === undefined ? take() : cache.remember(record, take);
  });
}

/** The writes among the verbs, on the writer thread. */
export function coldWrites(database: DatabaseSync, quotas: QuotaLimits): Pick<Commands, 'cold'> {
  const setting = { quotas, own: ownSteps };
  const query = statements(database);
  return { cold: (name, args) => runNow(stepsOf(coldVerb(name), setting, args), query) };
}
