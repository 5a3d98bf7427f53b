/** Verbs that are recorded in the audit trail: writing the record is one of their steps, in the transaction of the change. */
import type { ChangedBy } from '../../contract/audit.ts';
import { lockAccount } from '../locks.ts';
import type { Steps } from '../steps.ts';
import type { ArgsOf, Effect, Setting, Write } from '../verb.ts';
import { type AuditEntry, record } from './audit.ts';

/** The result of a verb, with its audit entry. */
export interface WithAuditEntry<Result> {
  readonly result: Result;
  /** Null if nothing has changed. */
  readonly entry: AuditEntry | null;
}

/** The result of a verb that has changed something, with its entry. */
export const withAuditEntry = <Result>(result: Result, entry: AuditEntry): WithAuditEntry<Result> => ({ result, entry });
/** The result of a verb that has changed nothing. */
export const unchanged = <Result>(result: Result): WithAuditEntry<Result> => ({ result, entry: null });

/** The setting of such a verb's steps. */
export interface AuditedSetting extends Setting {
  readonly by: ChangedBy;
}

/** A verb whose first argument is its caller. */
export type Audited<Args extends readonly unknown[], Result> = Write<[ChangedBy, ...Args], Result> & {
  readonly isAudited: true;
};

/** The account that an argument names, by its id or in a record; undefined if it names none. */
function accountOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const isRecord = typeof argument === 'object' && argument !== null && 'accountId' in argument;
  return isRecord && typeof argument.accountId === 'string' ? argument.accountId : undefined;
}

type AuditedSteps = (setting: AuditedSetting, ...args: never) => Steps<WithAuditEntry<unknown>>;
type AuditedResult<Take> = Take extends (...args: never) => Steps<WithAuditEntry<infer Result>> ? Result : never;

/**
 * Returns the verb. The account that the first argument names is locked before its steps: changes of one account are recorded one at a
 * time, without deadlocks. If it names none, the steps lock the account, and their entry names it.
 */
export const audited = <Take extends AuditedSteps>(
  steps: Take,
  effect: Omit<Effect<ArgsOf<Take>, AuditedResult<Take>>, 'isolation'> = {},
): Audited<ArgsOf<Take>, AuditedResult<Take>> => auditedVerb<ArgsOf<Take>, AuditedResult<Take>>(steps as never, effect);

function auditedVerb<Args extends readonly unknown[], Result>(
  steps: (setting: AuditedSetting, ...args: Args) => Steps<WithAuditEntry<Result>>,
  { invalidates, changes, orderedBy, charactersOf, ...rest }: Omit<Effect<Args, Result>, 'isolation'>,
): Audited<Args, Result> {
  return {
    kind: 'write',
    isAudited: true,
    *steps(setting, by, ...args) {
      const named = accountOf(args[0]);
      if (named !== undefined) yield* lockAccount(named);
      const { result, entry } = yield* steps({ ...setting, by }, ...args);
      if (entry !== null) {
        const accountId = entry.accountId ?? named;
        if (accountId === undefined) throw new Error(`an entry of ${entry.action} names no account`);
        yield* record(accountId, { ...by, actor: entry.actor ?? by.actor }, entry);
      }
      return result;
    },
    ...rest,
    ...(invalidates && { invalidates: (_, ...args) => invalidates(...args) }),
    ...(changes && { changes: (_, ...args) => changes(...args) }),
    ...(orderedBy && { orderedBy: (_, ...args) => orderedBy(...args) }),
    ...(charactersOf && { charactersOf: (_, ...args) => charactersOf(...args) }),
  };
}
