/**
 * Records of the wire. One declaration gives the TypeScript type, the validator and the OpenAPI schema; `$id`-like names
 * are given in `components` at the end.
 */
import {
  IdentityProviderBody,
  IdentityProviderListBody,
  UserListBody,
  WriteIdentityProviderBody,
} from './schemas/identity.ts';
import {
  AccountBody,
  ApiKeyBody,
  ApiKeyInfoBody,
  ApiKeyListBody,
  CreateApiKeyBody,
  CreatedApiKeyBody,
  CreateProjectBody,
  ProjectBody,
  ProjectListBody,
  RenameBody,
  UsageBody,
} from './schemas/management.ts';
import { ConflictBody, ErrorBody, HealthBody, QuotaBody } from './schemas/service.ts';
import {
  AuthorizationServerBody,
  AuthorizeCallbackForm,
  IdentityMetadataBody,
  JwksBody,
  LogoutBody,
  TokenBody,
  TokenErrorBody,
  TokenForm,
} from './schemas/sign-in.ts';
import { AuthorizeContextBody, EndUserAuthConfigBody, PublicAuthConfigBody } from './schemas/sign-in-settings.ts';
import { CreateConfigBody, PatchStateBody, PublicStateBody, UserStateBody, UserStateListBody } from './schemas/state.ts';

export * from './schemas/identity.ts';
export * from './schemas/management.ts';
export { AccountId, EnvironmentName, Slug } from './schemas/parts.ts';
export * from './schemas/service.ts';
export * from './schemas/sign-in.ts';
export * from './schemas/sign-in-settings.ts';
export * from './schemas/state.ts';

/** The records under the names that they have in the OpenAPI description. */
export const components = {
  PublicStateBody,
  CreateConfigBody,
  PatchStateBody,
  UserStateBody,
  UserStateListBody,
  AccountBody,
  RenameBody,
  UsageBody,
  ProjectBody,
  CreateProjectBody,
  ProjectListBody,
  ApiKeyBody,
  CreateApiKeyBody,
  CreatedApiKeyBody,
  ApiKeyListBody,
  ApiKeyInfoBody,
  EndUserAuthConfigBody,
  PublicAuthConfigBody,
  AuthorizeContextBody,
  AuthorizeCallbackForm,
  TokenForm,
  TokenBody,
  TokenErrorBody,
  LogoutBody,
  IdentityProviderBody,
  IdentityProviderListBody,
  WriteIdentityProviderBody,
  UserListBody,
  JwksBody,
  AuthorizationServerBody,
  IdentityMetadataBody,
  HealthBody,
  ErrorBody,
  ConflictBody,
  QuotaBody,
} as const;
export type ComponentName = keyof typeof components;
