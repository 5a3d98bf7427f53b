import { expect, test } from 'vitest';
import { readFailures } from '../../torture/foreign-report.ts';

const output = `
 ❌  Coverage (in 41.72s)

=================================== FAILURES ===================================
_________________________ GET /v1/{accountId}/projects _________________________
1. Test Case ID: fQ2h5C

- ST202 Schema-valid request rejected

    Valid data should have been accepted

[400] Bad Request:

    \`{"error":"validation_error","message":"query parameter cursor: not a cursor of this list"}\`

Reproduce with:

    curl -X GET 'http://127.0.0.1:8791/v1/acc_1/projects?cursor=0'

2. Test Case ID: DJPbZD

- ST202 Schema-valid request rejected

[400] Bad Request:

    \`{"error":"validation_error","message":"query parameter limit: no"}\`

__ GET /v1/{accountId} ___
1. Test Case ID: IPbCye

- ST101 Server error
- ST202 Schema-valid request rejected

[412] Precondition Failed:

=================================== WARNINGS ===================================

- ST202 in a warning is none
=================================== SUMMARY ====================================
`;

test('a failure is explained only if the description cannot state its rule', () => {
  const failures = readFailures(output);
  expect(failures.map(({ explanation }) => explanation)).toEqual(['cursor', undefined, undefined]);
  expect(failures[1]?.text).toMatch(/^GET \/v1\/\{accountId\}\/projects: - ST202 .*query parameter limit: no/);
});

test('a run without failures reports none', () => {
  expect(readFailures('========== SUMMARY ==========\n')).toEqual([]);
});
