/** Errors by whose fault they are. */
import type { ErrorCode, errorCodes, RequestFiguresBody } from '@holdfast/contract';

/** Codes of the service's own faults, with a status of 500 or more. */
type FailureCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['status'] extends 500 | 503 ? Code : never;
}[ErrorCode];
const failures: Readonly<Record<FailureCode, true>> = { internal_error: true, service_unavailable: true };

/** How many requests were refused (4xx), and how many failed (5xx). */
export function countErrors(errors: RequestFiguresBody['errors']): { refused: number; failed: number } {
  let [refused, failed] = [0, 0];
  for (const { code, requests } of errors) {
    if (Object.hasOwn(failures, code)) failed += requests;
    else refused += requests;
  }
  return { refused, failed };
}
