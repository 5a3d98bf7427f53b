/** Records of the audit trail. */
import Type from 'typebox';
import { auditActorKinds } from '../audit.ts';
import { AccountId, nullable, page, Time } from './fields.ts';

export const AuditActorBody = Type.Object(
  {
    kind: Type.Enum([...auditActorKinds], { description: 'The kind of actor; a member is a `developer`.' }),
    id: Type.String({ description: 'The id of the member, API key or service account; `operator` for the operator.' }),
    name: nullable(
      Type.String(),
      'The name of an API key at that time; the current name of a developer or service account, never an email address. Null for whoever is gone or has no name, and for the operator.',
    ),
  },
  { description: 'The actor.' },
);
export const AuditDetail = Type.Unsafe<Record<string, { from?: unknown; to?: unknown }>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The changed fields, by name. Each is an object with the old value in `from` and the new one in `to`; either is omitted if there is none. Values are cut at 200 characters and 20 items, and omitted over 8,000 characters in total.',
    },
  ),
);
export const AuditRecordBody = Type.Object(
  {
    accountId: AccountId,
    id: Type.String({ description: 'Records of an account are numbered from 1, without gaps.' }),
    at: Time,
    actor: AuditActorBody,
    action: Type.String({ description: 'The action: a noun and a verb, such as `project.delete`.' }),
    target: Type.String({
      description: 'The path of the changed resource, below the account; the account id for the account itself.',
    }),
    detail: AuditDetail,
    requestId: Type.String({
      description: 'The id of the request, created by the service regardless of any id from the client.',
    }),
  },
  { description: 'A record of a change: actor, action, target and time.' },
);
export type AuditRecordBody = Type.Static<typeof AuditRecordBody>;
export const AuditListBody = page(AuditRecordBody, 'The records, newest first.');
