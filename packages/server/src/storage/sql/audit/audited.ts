/** Verbs that are recorded in the audit trail: writing the record is one of their steps, in the transaction of the change. */
import type { ChangedBy } from '../../contract/audit.ts';
import type { OwnerOf } from '../../contract/read-owner.ts';
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

type AuditedSteps = (setting: AuditedSetting, ...args: never) => Steps<WithAuditEntry<unknown>>;
type AuditedResult<Take> = Take extends (...args: never) => Steps<WithAuditEntry<infer Result>> ? Result : never;

/** The effects of such a verb besides its lock. */
type AuditedEffect<Args extends readonly unknown[], Result> = Omit<Effect<Args, Result>, 'isolation' | 'locks'>;

/**
 * Returns the verb. `locks` names its account, which is locked before its steps: changes of one account are recorded one at a time, without
 * deadlocks. With `in its steps`, they find the account and lock it, and their entry names it.
 */
export const audited = <Take extends AuditedSteps>(
  steps: Take,
  locks: OwnerOf<ArgsOf<Take>> | 'in its steps',
  effect: AuditedEffect<ArgsOf<Take>, AuditedResult<Take>> = {},
): Audited<ArgsOf<Take>, AuditedResult<Take>> =>
  auditedVerb<ArgsOf<Take>, AuditedResult<Take>>(steps as never, locks === 'in its steps' ? undefined : locks, effect);

function auditedVerb<Args extends readonly unknown[], Result>(
  steps: (setting: AuditedSetting, ...args: Args) => Steps<WithAuditEntry<Result>>,
  locks: OwnerOf<Args> | undefined,
  { invalidates, changes, orderedBy, charactersOf, ...rest }: AuditedEffect<Args, Result>,
): Audited<Args, Result> {
  return {
    kind: 'write',
    isAudited: true,
    *steps(setting, by, ...args) {
      const { result, entry } = yield* steps({ ...setting, by }, ...args);
      if (entry !== null) {
        const accountId = entry.accountId ?? locks?.(...args).account;
        if (accountId === undefined) throw new Error(`an entry of ${entry.action} names no account`);
        yield* record(accountId, { ...by, actor: entry.actor ?? by.actor }, entry);
      }
      return result;
    },
    ...rest,
    ...(locks && { locks: (_, ...args) => locks(...args) }),
    ...(invalidates && { invalidates: (_, ...args) => invalidates(...args) }),
    ...(changes && { changes: (_, ...args) => changes(...args) }),
    ...(orderedBy && { orderedBy: (_, ...args) => orderedBy(...args) }),
    ...(charactersOf && { charactersOf: (_, ...args) => charactersOf(...args) }),
  };
}
