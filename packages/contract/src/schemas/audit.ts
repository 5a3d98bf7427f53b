/** Records of the audit trail. */
import Type from 'typebox';
import { auditActorKinds } from '../audit.ts';
import { AccountId, nullable, page, Time } from './fields.ts';

export const AuditActorBody = Type.Object(
  {
    kind: Type.Enum([...auditActorKinds], { description: 'Who it was: a member is a `developer`.' }),
    id: Type.String({ description: 'The id of the member, API key or service account; `operator` for the operator.' }),
    name: nullable(Type.String(), 'The name at that time, where there is one.'),
  },
  { description: 'Who did something.' },
);
export const AuditDetail = Type.Unsafe<Record<string, { from?: unknown; to?: unknown }>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The fields that have changed, by their names. Each is an object with the value before in `from` and since in `to`; either is left out if there was or is none. Values are cut at 200 characters and 20 items, and left out beyond 8,000 characters in all.',
    },
  ),
);
export const AuditRecordBody = Type.Object(
  {
    accountId: AccountId,
    id: Type.String({ description: 'Records of an account are numbered from 1, without gaps.' }),
    at: Time,
    actor: AuditActorBody,
    action: Type.String({ description: 'What was done: a noun and a verb, such as `project.delete`.' }),
    target: Type.String({
      description: 'The path of what was changed, below the account; the id of the account for the account itself.',
    }),
    detail: AuditDetail,
    requestId: Type.String({ description: 'Names the request. The service makes it, whatever the client has sent.' }),
  },
  { description: 'Who changed what, and when.' },
);
export type AuditRecordBody = Type.Static<typeof AuditRecordBody>;
export const AuditListBody = page(AuditRecordBody, 'The records, newest first.');
