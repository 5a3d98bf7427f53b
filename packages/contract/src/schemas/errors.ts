/** Bodies of errors, and of health checks. */
import Type from 'typebox';
import { nullable } from './fields.ts';

export const ViolationBody = Type.Object(
  {
    path: Type.String({
      description:
        'JSON Pointer to the violating value; in a refused schema, to the fault. Over 512 characters, `…` replaces the middle.',
    }),
    keyword: Type.String({ description: 'The violated keyword; `budget` if the check would take too long.' }),
    message: Type.String({
      description:
        'For people; may change. It contains no values of the document; for a flag, it can quote up to 64 characters of a name in its rules.',
    }),
  },
  { description: 'One violation.' },
);
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    violations: Type.Optional(
      Type.Array(ViolationBody, { description: 'Violations of a schema, or faults in one; at most 20.' }),
    ),
    conflicts: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With `merge_conflict`: JSON Pointers into the current document; at most 100.',
      }),
    ),
  },
  { description: 'The error envelope.' },
);
export const ConflictBody = Type.Object(
  {
    error: Type.Literal('version_conflict'),
    message: Type.String({ description: 'For people; may change.' }),
    currentVersion: nullable(
      Type.Integer({ format: 'int64', minimum: 1, description: 'The stored version; null if there is none.' }),
    ),
    appliedVersion: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 1,
        description:
          'The version that this write created earlier, if its `Idempotency-Key` is known: do not repeat the write.',
      }),
    ),
  },
  { description: 'The precondition of a write failed. Read the document again, apply the change to it, and retry.' },
);
export const QuotaBody = Type.Object(
  {
    code: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    limit: Type.Optional(Type.Integer({ format: 'int64', minimum: 0, description: 'The limit of the account.' })),
    used: Type.Optional(Type.Integer({ format: 'int64', minimum: 0, description: 'The use of the account.' })),
    resetsAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When use is reset to zero; absent if it never is.' }),
    ),
  },
  { additionalProperties: true, description: 'A limit of the account is reached. There is no `error` member.' },
);

export const HealthBody = Type.Object({ status: Type.Enum(['ok', 'unavailable']) });
