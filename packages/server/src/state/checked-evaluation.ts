/** Evaluations with the checks that apply to a document's write, also for writes that are only tried. */

import type { FlagFindingBody } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { Refusal } from '../common/refusal.ts';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import { type DocumentKey, ownerOf } from './document-owner.ts';
import type { Evaluation, EvaluationRequest } from './evaluate-body.ts';
import type { Evaluator } from './evaluator.ts';
import { flagViolations } from './flag-check.ts';
import { publicViolation, schemaViolation, tooLarge, tooLargeText, unusableFlags } from './refusals.ts';
import type { Refused } from './refused.ts';
import type { ActiveChecks, ActiveSchemas } from './schema-cache.ts';
import type { PublicViolation } from './validation-request.ts';

type Result = Exclude<Evaluation, Refused>;
export type Checked = Result | { readonly kind: 'unusable_flags'; readonly findings: readonly FlagFindingBody[] };

/** Returns an evaluation with a flag check if the project requires one. Throws like the evaluation. */
export function checkedEvaluation<Key extends DocumentKey>(
  schemas: ActiveSchemas<Key>,
  key: Key,
  held: ActiveChecks | undefined,
  evaluating: Awaitable<Result>,
): Awaitable<Checked> {
  return held?.checksFlags === true ? checkFlags(schemas, key, evaluating) : evaluating;
}

async function checkFlags<Key extends DocumentKey>(
  schemas: ActiveSchemas<Key>,
  key: Key,
  evaluating: Awaitable<Result>,
): Promise<Checked> {
  const evaluation = await evaluating;
  if (evaluation.kind !== 'state') return evaluation;
  const findings = await schemas.checkFlags(evaluation.stateText, ownerOf(key));
  return findings.length === 0 ? evaluation : { kind: 'unusable_flags', findings };
}

/** The refusal of a document, with `code` if it is too long. */
export function refusalOf(
  evaluation: Exclude<Checked, { readonly kind: 'state' | 'conflict' }>,
  code: Parameters<typeof tooLarge>[0],
): Refusal {
  switch (evaluation.kind) {
    case 'too_large':
      return tooLarge(code, evaluation.characters);
    case 'schema_violation':
      return schemaViolation(evaluation.violations);
    case 'unusable_flags':
      return unusableFlags(evaluation.findings);
  }
}

/** Tries writes of public state without storing anything. */
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
export function createTrials(evaluator: Evaluator, schemas: ActiveSchemas<PublicStateKey>): Trials {
  const evaluate = async (key: PublicStateKey, request: EvaluationRequest): Promise<Checked> => {
    const held = await schemas.find(key, false);
    return checkedEvaluation(schemas, key, held, evaluator.evaluate(ownerOf(key), { ...request, schema: held?.schema }));
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
