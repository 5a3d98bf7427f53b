/** The service's description of itself, and its errors. */
import Type from 'typebox';
import { nullable } from './fields.ts';
import { ViolationBody } from './violation.ts';

export const HealthBody = Type.Object({ status: Type.Enum(['ok', 'unavailable']) });

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    violations: Type.Optional(
      Type.Array(ViolationBody, { description: 'What does not fit a schema, or is wrong in one; at most 20.' }),
    ),
  },
  { description: 'The error envelope.' },
);
export const ConflictBody = Type.Object(
  {
    error: Type.Literal('version_conflict'),
    message: Type.String({ description: 'For people; may change.' }),
    currentVersion: nullable(
      Type.Integer({ format: 'int64', minimum: 1, description: 'The version that is stored; null when there is none.' }),
    ),
    appliedVersion: Type.Optional(
      Type.Integer({
        format: 'int64',
        minimum: 1,
        description:
          'The version that this write was carried out as before, when its `Idempotency-Key` is known: it must not be repeated.',
      }),
    ),
  },
  { description: 'The precondition of a write failed. Read again, apply the change to what is there now, and retry.' },
);
export const QuotaBody = Type.Object(
  {
    code: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    limit: Type.Optional(Type.Integer({ format: 'int64', minimum: 0, description: 'What the account may use.' })),
    used: Type.Optional(Type.Integer({ format: 'int64', minimum: 0, description: 'What the account has used.' })),
    resetsAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the use counts from zero again; only where it does.' }),
    ),
  },
  { additionalProperties: true, description: 'A limit of the account is reached. There is no `error` member.' },
);
