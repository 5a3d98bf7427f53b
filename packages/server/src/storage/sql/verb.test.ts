import { expect, it } from 'vitest';
import { ofAccount, ofItsAccount } from '../contract/read-owner.ts';
import { audited, unchanged } from './audit/audited.ts';
import { all, runNow } from './steps.ts';
import { effectOf, type Setting, stepsOf, type Verb, write } from './verb.ts';
import { sharedVerb, writingVerbs } from './verbs.ts';

/** Runs a verb on rows of accounts. Returns its result, and the statements with their values. */
function run(verb: Verb, ...args: readonly unknown[]) {
  const statements: unknown[] = [];
  const result = runNow(stepsOf(verb, {} as Setting, args), ({ sql, values }) => {
    statements.push([sql, ...values]);
    return [{ projects: 3 }];
  });
  return { result, statements };
}

const lock = 'SELECT projects, projects_max FROM accounts WHERE account_id = $1 FOR UPDATE';

it('a write that names an account locks it before its steps, which get the row', () => {
  const verb = write(
    function* ({ account }: Setting, _accountId: string) {
      yield* all('SELECT 1');
      return account;
    },
    { locks: ofAccount },
  );
  expect(run(verb, 'acc_1')).toEqual({ result: { projects: 3 }, statements: [[lock, 'acc_1'], ['SELECT 1']] });
  expect(effectOf(verb, ['acc_1']).locked).toBe('acc_1');
});

it('the caller of an audited verb does not count as the argument that names the account', () => {
  // biome-ignore lint/correctness/useYield: it needs no statement
  const verb = audited(function* ({ account }: Setting, _key: { readonly accountId: string }) {
    return unchanged(account);
  }, ofItsAccount);
  const args = [{ at: 0 }, { accountId: 'acc_2' }];
  expect(run(verb, ...args)).toEqual({ result: { projects: 3 }, statements: [[lock, 'acc_2']] });
  expect(effectOf(verb, args).locked).toBe('acc_2');
});

it('a write without such a name begins with its own steps', () => {
  const verb = write(function* () {
    yield* all('SELECT 1');
  });
  expect(run(verb).statements).toEqual([['SELECT 1']]);
  expect(effectOf(verb, []).locked).toBeUndefined();
});

it('every audited verb names its account, except the one that looks it up', () => {
  const unnamed = writingVerbs.filter(({ name, isAudited }) => isAudited && !('locks' in sharedVerb(name)));
  expect(unnamed.map(({ name }) => name)).toEqual(['acceptInvitation']);
});
