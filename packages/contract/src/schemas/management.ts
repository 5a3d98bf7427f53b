/** Records of accounts, projects and API keys. */
import Type from 'typebox';
import { apiKeyAccess, apiKeyKinds, environments, flagsChecks, requestCallerKinds } from '../identifiers.ts';
import { apiKeysMax, requestCallersMax } from '../limits.ts';
import { AccountId, ApiKeyId, EnvironmentName, inDescription, Name, nullable, page, Slug, set, Time } from './fields.ts';
import { SaveRetentionBody } from './sign-in-settings.ts';

export const AccountBody = Type.Object({
  accountId: AccountId,
  name: Name,
  idpTenantId: Type.String({
    description: 'The tenant of the identity provider that holds the end users of this account.',
  }),
  createdAt: Time,
  requireSecondFactor: Type.Boolean({
    description: 'Whether its members sign in with a second factor only: a code of an app, or a passkey.',
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
    used: Type.Integer({ format: 'int64', minimum: 0, description: 'What the account uses now.' }),
    limit: nullable(Type.Integer({ format: 'int64', minimum: 0, description: 'What it may use. Null when unlimited.' })),
  },
  { description: 'What the account uses of one thing, and what it may use.' },
);
export const UsagePeriodBody = Type.Object(
  { start: Time, end: Time },
  { description: 'A calendar month in UTC: from `start`, up to but without `end`.' },
);
export const UsageDayBody = Type.Object(
  { start: Time, apiRequests: Type.Integer({ format: 'int64', minimum: 0, description: 'API requests of this day.' }) },
  { description: 'What was used in a day in UTC, which begins at `start`.' },
);
export const UsageBody = Type.Object({
  period: UsagePeriodBody,
  apiRequests: UsageCounterBody,
  projects: UsageCounterBody,
  endUsers: UsageCounterBody,
  storageBytes: UsageCounterBody,
  daily: Type.Array(UsageDayBody, { description: 'The last 30 days, oldest first, today included.' }),
});
export type UsageBody = Type.Static<typeof UsageBody>;

const count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description });
export const RequestErrorBody = Type.Object(
  {
    code: Type.String({ description: 'The code of the error.' }),
    requests: count('Requests that were answered with it.'),
  },
  { description: 'How often an error was the answer.' },
);
const requestSums = {
  requests: count('Requests that were answered, with errors too.'),
  errors: Type.Array(RequestErrorBody, { description: 'Those that were answered with an error, the most frequent first.' }),
};
export const RequestDayBody = Type.Object(
  { start: Time, ...requestSums },
  { description: 'What was asked in a day in UTC, which begins at `start`.' },
);
export const RequestCallerBody = Type.Object(
  {
    projectSlug: nullable(Slug, 'The project. Null: none, or one that does not exist.'),
    kind: Type.Enum([...requestCallerKinds], {
      description:
        'API keys and service accounts are counted one by one. Members and the operator are one `developer`, players one `end_user`, and what is beyond the bound is `other`.',
    }),
    id: nullable(Type.String({ description: 'The API key or service account. Null for other kinds.' })),
    name: nullable(Type.String({ description: 'Its name. Null also when it is gone.' })),
    ...requestSums,
  },
  { description: 'What a caller has asked in a project.' },
);
export const OpenStreamsBody = Type.Object(
  {
    projectSlug: Slug,
    publicState: count('Readers of public state.'),
    userState: count('Readers of user state.'),
  },
  { description: 'Change streams, and long polls that wait, in a project.' },
);
export const RequestPeriodBody = Type.Object(
  { start: Time, end: Time },
  { description: 'Whole days in UTC: from `start`, up to but without `end`.' },
);
export const RequestFiguresBody = Type.Object({
  period: RequestPeriodBody,
  ...requestSums,
  daily: Type.Array(RequestDayBody, { description: 'Each day, oldest first, today included.' }),
  callers: Type.Array(RequestCallerBody, {
    maxItems: requestCallersMax + 1,
    description:
      'Who has asked, and in which project; the most requests first. The last one is the rest when there are more.',
  }),
  openStreams: Type.Array(OpenStreamsBody, {
    description: 'The projects with open change streams. Those of other nodes are some seconds old.',
  }),
});
export type RequestFiguresBody = Type.Static<typeof RequestFiguresBody>;

const ProtectedEnvironments = set(EnvironmentName, {
  maxItems: environments.length,
  description:
    'Where only owners, admins and service accounts that name the environment write public state, each time with a comment.',
});
const FlagsCheckName = Type.Enum([...flagsChecks], {
  description:
    'With `enforce`, public state with unusable feature flags is refused. A flag is unusable if it cannot be read (no `variants`, an unknown `state`, a `defaultVariant` that is no variant, an unknown operator or evaluator), if a branch of its rules (`if`, `fractional`) names no variant, if its rules fail or exceed their budget with an empty context, or if its variants have different types.',
});
const PublicStateHistory = nullable(SaveRetentionBody, 'Which versions of public state are kept. Null: all of them.');
export const ProjectBody = Type.Object({
  accountId: AccountId,
  slug: Slug,
  name: Name,
  createdAt: Time,
  protectedEnvironments: ProtectedEnvironments,
  flagsCheck: FlagsCheckName,
  publicStateHistory: PublicStateHistory,
});
export type ProjectBody = Type.Static<typeof ProjectBody>;
export const CreateProjectBody = Type.Object({
  slug: Slug,
  name: Type.Optional(Name),
});
export type CreateProjectBody = Type.Static<typeof CreateProjectBody>;
export const UpdateProjectBody = Type.Object(
  {
    name: Type.Optional(Name),
    protectedEnvironments: Type.Optional(ProtectedEnvironments),
    flagsCheck: Type.Optional(FlagsCheckName),
    publicStateHistory: Type.Optional(PublicStateHistory),
  },
  { minProperties: 1, description: 'At least one change. Omitted fields stay as they are.' },
);
export type UpdateProjectBody = Type.Static<typeof UpdateProjectBody>;
export const ProjectListBody = page(ProjectBody, 'The projects, newest first.');

export const ApiKeyAccessName = Type.Enum([...apiKeyAccess], {
  description: 'What an API key may do; `write` includes reading.',
});
export const ApiKeyKindName = Type.Enum([...apiKeyKinds], {
  description:
    'A `secret` key stays on servers. A `publishable` one is made to be shipped inside an application, where everybody can find it.',
});
const Environments = set(EnvironmentName, {
  minItems: 1,
  maxItems: environments.length,
  description: 'Where the key works; each at most once.',
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
export const ApiKeyBody = Type.Object({ ...apiKeyIdentity, kind: ApiKeyKindName, lastUsedAt: nullable(Time), expiresAt });
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>;
export const CreatedApiKeyBody = Type.Object({
  ...apiKeyIdentity,
  kind: ApiKeyKindName,
  lastUsedAt: nullable(Time),
  expiresAt,
  apiKey: Type.String({ description: 'The key itself: shown this once, stored only as a hash.' }),
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
