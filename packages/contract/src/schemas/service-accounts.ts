/** Records of service accounts. */
import Type from 'typebox';
import { environments, serviceAccountIdPattern, serviceAccountSecretIdPattern } from '../identifiers.ts';
import { serviceAccountSecretsMax, serviceAccountsMax } from '../limits.ts';
import { serviceAccountRoles } from '../roles.ts';
import { EnvironmentName, Name, nullable, set, Time } from './fields.ts';
import { pattern } from './patterns.ts';

export const ServiceAccountId = Type.String({
  ...pattern(serviceAccountIdPattern, 'the id of a service account: sa_ followed by letters and digits'),
  description: 'Identifier of a service account: its `client_id`, and `sub` of its tokens.',
});
export const ServiceAccountSecretId = Type.String({
  ...pattern(serviceAccountSecretIdPattern, 'the id of a secret: sec_ followed by letters and digits'),
  description: 'Identifier of a service account secret; not secret itself.',
});
const ServiceAccountRoleName = Type.Enum([...serviceAccountRoles], {
  description: 'The role of the service account. It cannot be an owner.',
});
const Environments = nullable(
  set(EnvironmentName, {
    minItems: 1,
    maxItems: environments.length,
    description:
      'The environments that `admin`, `editor`, `support` and `server` may change; null for all. A protected environment must be named.',
  }),
);
const ClientSecret = Type.String({
  description: 'The secret, for `grant_type=client_credentials`: shown only once, stored as a hash.',
});

export const ServiceAccountSecretBody = Type.Object(
  {
    secretId: ServiceAccountSecretId,
    createdAt: Time,
    lastUsedAt: nullable(Time, 'Accurate to a minute; null if not yet used.'),
  },
  { description: 'A secret of a service account, without the secret itself.' },
);
export const CreatedServiceAccountSecretBody = Type.Object({
  secretId: ServiceAccountSecretId,
  clientSecret: ClientSecret,
});
export type CreatedServiceAccountSecretBody = Type.Static<typeof CreatedServiceAccountSecretBody>;

const serviceAccount = {
  id: ServiceAccountId,
  name: Name,
  role: ServiceAccountRoleName,
  environments: Environments,
  createdAt: Time,
  lastUsedAt: nullable(Time, 'Accurate to a minute; null if not yet used.'),
  expiresAt: nullable(Time, 'When its secrets and tokens expire; null: never.'),
  secrets: Type.Array(ServiceAccountSecretBody, {
    maxItems: serviceAccountSecretsMax,
    description: 'The valid secrets, oldest first.',
  }),
};
export const ServiceAccountBody = Type.Object(serviceAccount);
export type ServiceAccountBody = Type.Static<typeof ServiceAccountBody>;
export const CreatedServiceAccountBody = Type.Object({ ...serviceAccount, clientSecret: ClientSecret });
export type CreatedServiceAccountBody = Type.Static<typeof CreatedServiceAccountBody>;
export const CreateServiceAccountBody = Type.Object({
  name: Name,
  role: ServiceAccountRoleName,
  environments: Type.Optional(Environments),
  expiresAt: Type.Optional(nullable(Time)),
});
export type CreateServiceAccountBody = Type.Static<typeof CreateServiceAccountBody>;
export const ServiceAccountListBody = Type.Object({
  items: Type.Array(ServiceAccountBody, {
    maxItems: serviceAccountsMax,
    description: 'All service accounts, newest first.',
  }),
});
