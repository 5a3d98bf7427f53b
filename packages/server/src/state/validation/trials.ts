/** Writes of public state that are tried without storing anything. */
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import { ownerOf } from '../documents/document-owner.ts';
import type { EvaluationRequest } from '../evaluation/evaluate-body.ts';
import type { Evaluator } from '../evaluation/evaluator.ts';
import type { PublicViolation } from '../evaluation/validation-request.ts';
import { type CheckedEvaluation, checkedEvaluation, refusalOf } from './checked-evaluation.ts';
import { flagViolations } from './flag-check.ts';
import { publicViolation, tooLargeText } from './refusals.ts';
import type { WriteChecks } from './write-checks.ts';

/** Tries writes of public state. */
export interface Trials {
  /**
   * Evaluates a patch of the document `baseText`, or of `{}` for null, as a write would. Refuses `validation_error`, the codes of JSON Patch,
   * and `patch_state_too_large`.
   */
  tryPatch(key: PublicStateKey, body: Uint8Array, baseText: string | null): Promise<void>;
  /** Returns what prevents a write of a document: violations of the schema, faults of its flags, or its size. */
  violationsOf(key: PublicStateKey, stateText: string): Promise<readonly PublicViolation[]>;
}

/** Returns trials with these checks. */
export function createTrials(evaluator: Evaluator, checks: WriteChecks<PublicStateKey>): Trials {
  const evaluate = async (key: PublicStateKey, request: EvaluationRequest): Promise<CheckedEvaluation> => {
    const held = await checks.find(key, false);
    return checkedEvaluation(checks, key, held, evaluator.evaluate(ownerOf(key), { ...request, schema: held?.schema }));
  };
  return {
    async tryPatch(key, body, baseText) {
      const evaluation = await evaluate(key, { kind: 'patch', body, currentText: baseText, isSatisfied: true });
      if (evaluation.kind === 'conflict') throw new TypeError('an evaluation without a condition found a conflict');
      if (evaluation.kind !== 'state') throw refusalOf(evaluation, 'patch_state_too_large');
    },
    async violationsOf(key, stateText) {
      const body = Buffer.from(`{"state":${stateText}}`);
      const evaluation = await evaluate(key, { kind: 'replacement', body });
      switch (evaluation.kind) {
        case 'schema_violation':
          return evaluation.violations.map(publicViolation);
        case 'unusable_flags':
          return flagViolations(evaluation.findings);
        case 'too_large':
          return [{ path: '', keyword: 'maxLength', message: tooLargeText(evaluation.characters) }];
        default:
          return [];
      }
    },
  };
}
