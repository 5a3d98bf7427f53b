/** Records of accounts, projects and API keys. */
import Type from 'typebox';
import { apiKeyAccess, environments } from '../identifiers.ts';
import { AccountId, EnvironmentName, Name, nullable, page, Slug, set, Time } from './parts.ts';

export const AccountBody = Type.Object({
  accountId: AccountId,
  name: Name,
  idpTenantId: Type.String({
    description: 'The tenant of the identity provider that holds the end users of this account.',
  }),
  createdAt: Time,
});
export type AccountBody = Type.Static<typeof AccountBody>;
export const RenameBody = Type.Object({ name: Name });

const quota = Type.Object({
  used: Type.Integer({ minimum: 0 }),
  limit: nullable(Type.Integer({ minimum: 0, description: 'Null when unlimited.' })),
});
export const UsageBody = Type.Object({
  period: Type.Object({ start: Time, end: Time }),
  apiRequests: quota,
  projects: quota,
  endUsers: quota,
  storageBytes: quota,
});
export type UsageBody = Type.Static<typeof UsageBody>;

export const ProjectBody = Type.Object({ accountId: AccountId, slug: Slug, name: Name, createdAt: Time });
export type ProjectBody = Type.Static<typeof ProjectBody>;
export const CreateProjectBody = Type.Object({
  slug: Slug,
  name: Type.Optional(Name),
});
export type CreateProjectBody = Type.Static<typeof CreateProjectBody>;
export const ProjectListBody = page(ProjectBody);

const Access = Type.Enum([...apiKeyAccess], { description: '`write` includes reading.' });
const Environments = set(EnvironmentName, {
  minItems: 1,
  maxItems: environments.length,
  description: 'Where the key works; each at most once.',
});

const apiKeyIdentity = {
  id: Type.String({ description: 'Identifier of the key; no secret.' }),
  name: Name,
  start: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  access: Access,
  environments: Environments,
  createdAt: Time,
};
const expiresAt = nullable(Time);
export const ApiKeyBody = Type.Object({ ...apiKeyIdentity, lastUsedAt: nullable(Time), expiresAt });
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>;
export const CreatedApiKeyBody = Type.Object({
  ...apiKeyIdentity,
  lastUsedAt: nullable(Time),
  expiresAt,
  apiKey: Type.String({ description: 'The key itself: shown this once, stored only as a hash.' }),
});
export type CreatedApiKeyBody = Type.Static<typeof CreatedApiKeyBody>;
export const CreateApiKeyBody = Type.Object({
  name: Name,
  access: Type.Optional(Access),
  environments: Type.Optional(Environments),
  expiresAt: Type.Optional(expiresAt),
});
export type CreateApiKeyBody = Type.Static<typeof CreateApiKeyBody>;
export const ApiKeyListBody = Type.Object({ items: Type.Array(ApiKeyBody) });
export const ApiKeyInfoBody = Type.Object({ accountId: AccountId, projectSlug: Slug, ...apiKeyIdentity, expiresAt });
export type ApiKeyInfoBody = Type.Static<typeof ApiKeyInfoBody>;
