/** Evaluations with the checks that apply to a document's write. */
import type { FlagFindingBody } from '@holdfast/contract';
import type { Awaitable } from '../../common/async/awaitable.ts';
import type { Refusal } from '../../common/requests/refusal.ts';
import { type DocumentKey, ownerOf } from '../documents/document-owner.ts';
import type { Evaluation } from '../evaluation/evaluate-body.ts';
import type { Refused } from '../evaluation/thread-refusal.ts';
import { schemaViolation, tooLarge, unusableFlags } from './refusals.ts';
import type { ActiveChecks, WriteChecks } from './write-checks.ts';

type Result = Exclude<Evaluation, Refused>;
export type CheckedEvaluation = Result | { readonly kind: 'unusable_flags'; readonly findings: readonly FlagFindingBody[] };

/** Returns an evaluation with a flag check if the project requires one. Throws like the evaluation. */
export function checkedEvaluation<Key extends DocumentKey>(
  checks: WriteChecks<Key>,
  key: Key,
  held: ActiveChecks | undefined,
  evaluating: Awaitable<Result>,
): Awaitable<CheckedEvaluation> {
  return held?.checksFlags === true ? checkFlags(checks, key, evaluating) : evaluating;
}

async function checkFlags<Key extends DocumentKey>(
  checks: WriteChecks<Key>,
  key: Key,
  evaluating: Awaitable<Result>,
): Promise<CheckedEvaluation> {
  const evaluation = await evaluating;
  if (evaluation.kind !== 'state') return evaluation;
  const findings = await checks.checkFlags(evaluation.stateText, ownerOf(key));
  return findings.length === 0 ? evaluation : { kind: 'unusable_flags', findings };
}

/** The refusal of a document, with `code` if it is too long. */
export function refusalOf(
  evaluation: Exclude<CheckedEvaluation, { readonly kind: 'state' | 'conflict' }>,
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
