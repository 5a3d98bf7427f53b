/**
 * Records of the wire. One declaration gives the TypeScript type, the validator and the OpenAPI schema; `$id`-like names
 * are given in `components` at the end.
 */
import { AuditActorBody, AuditListBody, AuditRecordBody } from './schemas/audit.ts';
import { FlagBody, FlagErrorBody, FlagItemBody, FlagListBody, FlagRequestBody } from './schemas/flags.ts';
import {
  IdentityProviderBody,
  IdentityProviderListBody,
  ReplaceIdentityProviderBody,
  UserBody,
  UserListBody,
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
  UpdateAccountBody,
  UpdateProjectBody,
  UsageBody,
  UsageCounterBody,
  UsageDayBody,
  UsagePeriodBody,
} from './schemas/management.ts';
import {
  BlockPlayerBody,
  ExportedStateBody,
  ExportedStatesBody,
  ExportedVersionBody,
  PlayerBlockBody,
  PlayerBody,
  PlayerExportBody,
  PlayerListBody,
  PlayerMatchesBody,
  PlayerMethodBody,
  PlayerStateBody,
} from './schemas/players.ts';
import { ConflictBody, ErrorBody, HealthBody, QuotaBody } from './schemas/service.ts';
import {
  CreatedServiceAccountBody,
  CreatedServiceAccountSecretBody,
  CreateServiceAccountBody,
  ServiceAccountBody,
  ServiceAccountListBody,
  ServiceAccountSecretBody,
} from './schemas/service-accounts.ts';
import {
  CheckSchemaBody,
  FlagFindingBody,
  ReplaceSchemaBody,
  SchemaBody,
  SchemaCheckBody,
  SchemaHistoryBody,
  SchemaHistoryItemBody,
  SchemaReportBody,
  SchemaReportItemBody,
  SchemaScanBody,
  ViolationBody,
} from './schemas/shapes.ts';
import {
  AuthorizationServerBody,
  AuthorizeCallbackForm,
  AuthorizeContextBody,
  IdentityMetadataBody,
  InvitationBody,
  InvitationForm,
  JwkBody,
  JwksBody,
  LogoutBody,
  TokenBody,
  TokenErrorBody,
  TokenForm,
} from './schemas/sign-in.ts';
import {
  EndUserAuthConfigBody,
  PatchEndUserAuthConfigBody,
  PublicAuthConfigBody,
  ReplaceEndUserAuthConfigBody,
  SettingWarningBody,
} from './schemas/sign-in-settings.ts';
import {
  AuthorBody,
  ChangeEventBody,
  ChangesBody,
  CreateConfigBody,
  HistoryBody,
  HistoryItemBody,
  PatchOperationBody,
  PatchStateBody,
  PublicStateBody,
  UserStateBody,
  UserStateItemBody,
  UserStateListBody,
} from './schemas/state.ts';

import {
  ChangeMemberBody,
  CreatedInvitationBody,
  CreateInvitationBody,
  DeveloperAccountBody,
  DeveloperAccountListBody,
  InvitationListBody,
  MemberBody,
  MemberListBody,
  OpenInvitationBody,
} from './schemas/team.ts';

export * from './schemas/audit.ts';
export { AccountId, ApiKeyId, Cursor, EnvironmentName, inDescription, Slug, UserId } from './schemas/fields.ts';
export * from './schemas/flags.ts';
export * from './schemas/identity.ts';
export * from './schemas/management.ts';
export * from './schemas/players.ts';
export * from './schemas/service.ts';
export * from './schemas/service-accounts.ts';
export * from './schemas/shapes.ts';
export * from './schemas/sign-in.ts';
export * from './schemas/sign-in-settings.ts';
export * from './schemas/state.ts';
export * from './schemas/team.ts';

/** The records under the names that they have in the OpenAPI description. */
export const components = {
  PublicStateBody,
  HistoryBody,
  HistoryItemBody,
  AuthorBody,
  CreateConfigBody,
  PatchStateBody,
  PatchOperationBody,
  ChangesBody,
  ChangeEventBody,
  FlagRequestBody,
  FlagBody,
  FlagItemBody,
  FlagListBody,
  FlagErrorBody,
  SchemaBody,
  ReplaceSchemaBody,
  SchemaHistoryBody,
  SchemaHistoryItemBody,
  SchemaReportBody,
  SchemaReportItemBody,
  CheckSchemaBody,
  SchemaCheckBody,
  SchemaScanBody,
  FlagFindingBody,
  ViolationBody,
  UserStateBody,
  UserStateItemBody,
  UserStateListBody,
  PlayerBody,
  PlayerListBody,
  PlayerBlockBody,
  BlockPlayerBody,
  PlayerExportBody,
  PlayerStateBody,
  PlayerMatchesBody,
  PlayerMethodBody,
  ExportedStatesBody,
  ExportedStateBody,
  ExportedVersionBody,
  AccountBody,
  UpdateAccountBody,
  MemberBody,
  MemberListBody,
  ChangeMemberBody,
  CreateInvitationBody,
  CreatedInvitationBody,
  OpenInvitationBody,
  InvitationListBody,
  DeveloperAccountBody,
  DeveloperAccountListBody,
  AuditListBody,
  AuditRecordBody,
  AuditActorBody,
  UsageBody,
  UsageCounterBody,
  UsageDayBody,
  UsagePeriodBody,
  ProjectBody,
  CreateProjectBody,
  UpdateProjectBody,
  ProjectListBody,
  ApiKeyBody,
  CreateApiKeyBody,
  CreatedApiKeyBody,
  ApiKeyListBody,
  ApiKeyInfoBody,
  ServiceAccountBody,
  CreateServiceAccountBody,
  CreatedServiceAccountBody,
  ServiceAccountListBody,
  ServiceAccountSecretBody,
  CreatedServiceAccountSecretBody,
  EndUserAuthConfigBody,
  ReplaceEndUserAuthConfigBody,
  PatchEndUserAuthConfigBody,
  SettingWarningBody,
  PublicAuthConfigBody,
  AuthorizeContextBody,
  AuthorizeCallbackForm,
  TokenForm,
  TokenBody,
  TokenErrorBody,
  InvitationForm,
  InvitationBody,
  LogoutBody,
  IdentityProviderBody,
  IdentityProviderListBody,
  ReplaceIdentityProviderBody,
  UserBody,
  UserListBody,
  JwkBody,
  JwksBody,
  AuthorizationServerBody,
  IdentityMetadataBody,
  HealthBody,
  ErrorBody,
  ConflictBody,
  QuotaBody,
} as const;
export type ComponentName = keyof typeof components;

export { meaningOfPattern } from './schemas/patterns.ts';
