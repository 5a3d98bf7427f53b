/** Records of accounts, projects and API keys. */
import Type from 'typebox';
import { apiKeyAccess, apiKeyKinds, environments, requestCallerKinds } from '../identifiers.ts';
import { apiKeysMax, requestCallersMax } from '../limits.ts';
import { AccountId, ApiKeyId, EnvironmentName, inDescription, Name, nullable, page, Slug, set, Time } from './fields.ts';
import { projectSettings } from './project-settings.ts';
import { ChangedApprovalsBody } from './proposals.ts';

export const AccountBody = Type.Object({
  accountId: AccountId,
  name: Name,
  idpTenantId: Type.String({
    description: "The tenant of this account's end users at the identity provider.",
  }),
  createdAt: Time,
  requireSecondFactor: Type.Boolean({
    description: 'Whether members must sign in with a second factor: a code from an app, or a passkey.',
  }),
});
export type AccountBody = Type.Static<typeof AccountBody>;
export const UpdateAccountBody = Type.Object(
  {
    name: Type.Optional(Name),
    requireSecondFactor: Type.Optional(
      Type.Boolean({ description: 'True ends the sessions of members who signed in without a second factor.' }),
    ),
  },
  { minProperties: 1, description: 'At least one change. Omitted fields stay as they are.' },
);
export type UpdateAccountBody = Type.Static<typeof UpdateAccountBody>;

export const UsageCounterBody = Type.Object(
  {
    used: Type.Integer({ format: 'int64', minimum: 0, description: 'The current use.' }),
    limit: nullable(Type.Integer({ format: 'int64', minimum: 0, description: 'The limit. Null if unlimited.' })),
  },
  { description: 'Current use of one resource, and its limit.' },
);
export const UsagePeriodBody = Type.Object(
  { start: Time, end: Time },
  { description: 'A calendar month in UTC: from `start` (inclusive) to `end` (exclusive).' },
);
export const UsageDayBody = Type.Object(
  { start: Time, apiRequests: Type.Integer({ format: 'int64', minimum: 0, description: 'API requests on this day.' }) },
  { description: 'Use on one UTC day, which begins at `start`.' },
);
export const UsageBody = Type.Object({
  period: UsagePeriodBody,
  apiRequests: UsageCounterBody,
  projects: UsageCounterBody,
  endUsers: UsageCounterBody,
  storageBytes: UsageCounterBody,
  daily: Type.Array(UsageDayBody, { description: 'The last 30 days including today, oldest first.' }),
});
export type UsageBody = Type.Static<typeof UsageBody>;

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description });
export const RequestErrorBody = Type.Object(
  {
    code: Type.String({ description: 'The code of the error.' }),
    requests: count('Number of requests with this error.'),
  },
  { description: 'The number of requests with one error.' },
);
const requestSums = {
  requests: count('Requests with a response, including errors.'),
  errors: Type.Array(RequestErrorBody, { description: 'Requests with an error, the most frequent error first.' }),
};
export const RequestDayBody = Type.Object(
  { start: Time, ...requestSums },
  { description: 'Requests on one UTC day, which begins at `start`.' },
);
export const RequestCallerBody = Type.Object(
  {
    projectSlug: nullable(Slug, 'The project. Null if there is none or it does not exist.'),
    kind: Type.Enum([...requestCallerKinds], {
      description:
        'API keys and service accounts are counted individually. Members and the operator together are one `developer`, players one `end_user`, and everything over the bound is `other`.',
    }),
    id: nullable(Type.String({ description: 'The API key or service account. Null for other kinds.' })),
    name: nullable(Type.String({ description: 'Its name. Null if deleted, and for other kinds.' })),
    ...requestSums,
  },
  { description: 'Requests of one caller in a project.' },
);
export const OpenStreamsBody = Type.Object(
  {
    projectSlug: Slug,
    publicState: count('Readers of public state.'),
    userState: count('Readers of user state.'),
  },
  { description: 'Open change streams and waiting long polls in a project.' },
);
export const RequestPeriodBody = Type.Object(
  { start: Time, end: Time },
  { description: 'Whole UTC days: from `start` (inclusive) to `end` (exclusive).' },
);
export const RequestFiguresBody = Type.Object({
  period: RequestPeriodBody,
  ...requestSums,
  daily: Type.Array(RequestDayBody, { description: 'Each day including today, oldest first.' }),
  callers: Type.Array(RequestCallerBody, {
    maxItems: requestCallersMax + 1,
    description: 'Callers by project, the most requests first. If there are more, the last entry is the rest.',
  }),
  openStreams: Type.Array(OpenStreamsBody, {
    description: 'The projects with open change streams. Counts from other nodes are some seconds old.',
  }),
});
export type RequestFiguresBody = Type.Static<typeof RequestFiguresBody>;

const { name, ...otherSettings } = projectSettings;
export const ProjectBody = Type.Object({
  accountId: AccountId,
  slug: Slug,
  name,
  createdAt: Time,
  ...otherSettings,
});
export type ProjectBody = Type.Static<typeof ProjectBody>;
export const CreateProjectBody = Type.Object({
  slug: Slug,
  name: Type.Optional(Name),
});
export type CreateProjectBody = Type.Static<typeof CreateProjectBody>;
export const UpdateProjectBody = Type.Partial(
  Type.Object({ ...projectSettings, requiredApprovals: ChangedApprovalsBody }),
  { minProperties: 1, description: 'At least one change. Omitted fields stay as they are.' },
);
export type UpdateProjectBody = Type.Static<typeof UpdateProjectBody>;
export const ProjectListBody = page(ProjectBody, 'The projects, newest first.');

export const ApiKeyAccessName = Type.Enum([...apiKeyAccess], {
  description: 'The access of an API key; `write` includes reading.',
});
export const ApiKeyKindName = Type.Enum([...apiKeyKinds], {
  description:
    'A `secret` key stays on servers. A `publishable` key is meant to be shipped inside an application, where anybody can find it.',
});
const Environments = set(EnvironmentName, {
  minItems: 1,
  maxItems: environments.length,
  description: 'The environments of the key, without duplicates.',
});

const apiKeyIdentity = {
  id: ApiKeyId,
  name: Name,
  start: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  access: ApiKeyAccessName,
  environments: Environments,
  createdAt: Time,
};
const expiresAt = nullable(Time);
export const ApiKeyBody = Type.Object({
  ...apiKeyIdentity,
  kind: ApiKeyKindName,
  lastUsedAt: nullable(Time),
  expiresAt,
  apiKey: nullable(
    Type.String(),
    'The publishable key itself. Null for a secret key, for a key whose text was not stored, and for readers who may not create keys.',
  ),
});
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>;
export const CreatedApiKeyBody = Type.Object({
  ...apiKeyIdentity,
  kind: ApiKeyKindName,
  lastUsedAt: nullable(Time),
  expiresAt,
  apiKey: Type.String({ description: 'The key itself. A secret key is shown only once and stored as a hash.' }),
});
export type CreatedApiKeyBody = Type.Static<typeof CreatedApiKeyBody>;
/** A publishable key can only read. */
const publishableReads = {
  if: { properties: { kind: { const: 'publishable' } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { access: { const: 'read' } } },
};
export const CreateApiKeyBody = Type.Object(
  {
    name: Name,
    kind: Type.Optional(ApiKeyKindName),
    access: Type.Optional(ApiKeyAccessName),
    environments: Type.Optional(Environments),
    expiresAt: Type.Optional(expiresAt),
  },
  { [inDescription]: publishableReads },
);
export type CreateApiKeyBody = Type.Static<typeof CreateApiKeyBody>;
export const ApiKeyListBody = Type.Object({
  items: Type.Array(ApiKeyBody, { maxItems: apiKeysMax, description: 'All keys, newest first.' }),
});
export const ApiKeyInfoBody = Type.Object({ accountId: AccountId, projectSlug: Slug, ...apiKeyIdentity, expiresAt });
export type ApiKeyInfoBody = Type.Static<typeof ApiKeyInfoBody>;
