/** Merges on the wire. @see docs/contract.md §7.17 */
import { guestAssertionBytesMax } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Merge, Merges } from '../../players/merges.ts';
import type { Evaluator } from '../../state/evaluation/evaluator.ts';
import type { SmallMembers } from '../../state/evaluation/small-members.ts';
import { repeatKeyOf } from '../../state/idempotency.ts';
import { schemaViolation, tooLarge } from '../../state/validation/refusals.ts';
import type { WriteChecks } from '../../state/validation/write-checks.ts';
import type { UserStateKey } from '../../storage/contract/user-states.ts';
import type { HandlersOf } from '../operation-request.ts';
import { recordReply } from '../replies/record-reply.ts';

/** The handler of merges. */
export function mergeHandlers(
  merges: Merges,
  evaluator: Pick<Evaluator, 'evaluate'>,
  checks: Pick<WriteChecks<UserStateKey>, 'find'>,
): HandlersOf<'mergeGuest'> {
  return {
    mergeGuest: async ({ principal, bodyBytes: body, idempotencyKey, caller }) => {
      // Reads `state` like a PUT does, preserving every digit, without delaying other requests.
      const evaluation = await evaluator.evaluate(caller.owner, { kind: 'replacement', body, reads });
      if (evaluation.kind === 'too_large') throw tooLarge('validation_error', evaluation.characters);
      if (evaluation.kind !== 'state') throw new Error('a replacement has no precondition');
      const validate = async (beforeText: string) => {
        const { accountId, slug, environment, userId: playerId } = principal;
        const schema = (await checks.find({ accountId, slug, environment, playerId }, true))?.schema;
        if (schema === undefined) return;
        const evaluated = await evaluator.evaluate(caller.owner, { kind: 'replacement', body, schema, beforeText });
        if (evaluated.kind === 'schema_violation') throw schemaViolation(evaluated.violations);
      };
      const merge = { ...readOthers(evaluation.members), stateText: evaluation.stateText, validate };
      const repeatKey = idempotencyKey === undefined ? undefined : repeatKeyOf(idempotencyKey, principal);
      return recordReply(await merges.merge(principal, merge, repeatKey), '}');
    },
  };
}

const reads: SmallMembers = {
  names: ['guestAssertion', 'ifVersion', 'fromVersion'],
  charactersMax: guestAssertionBytesMax,
};

/** Reads the members other than the state. Refuses `validation_error`. */
function readOthers(members: Readonly<Record<string, unknown>> = {}): Omit<Merge, 'stateText' | 'validate'> {
  const { guestAssertion, ifVersion, fromVersion } = members;
  if (typeof guestAssertion !== 'string' || guestAssertion === '') throw invalid('guestAssertion must be a string');
  if (guestAssertion.length > guestAssertionBytesMax) {
    throw invalid(`guestAssertion has more than ${guestAssertionBytesMax} bytes`);
  }
  return {
    guestAssertion,
    ifVersion: readVersion('ifVersion', ifVersion),
    fromVersion: readVersion('fromVersion', fromVersion),
  };
}

function readVersion(name: string, value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw invalid(`${name} must be a version, or null for no save`);
}

const invalid = (message: string): Refusal => new Refusal('validation_error', message);
