/**
 * The fields that records of the audit trail contain, and what their values are.
 *
 * @see docs/contract.md §8.10
 */
import { apiKeyAccess, apiKeyKinds, environments, flagsChecks, schemaModes } from './identifiers.ts';
import { roles } from './roles.ts';
import type { SignInSettings, UpdateAccountBody, UpdateProjectBody } from './schemas.ts';
import type { IdentityProviderSettings } from './sign-in-methods.ts';

/** What a value is, or each value of a list: a list of words has no others. */
export type AuditFieldKind =
  /** Words of people. */
  | 'text'
  /** Of machines. */
  | 'identifier'
  | 'number'
  | 'bytes'
  /** The number of a version of public state. */
  | 'version'
  | 'time'
  | 'switch'
  /** An object with a code and a message. */
  | 'failure'
  /** An object with the `versions` and `days` that are kept. */
  | 'retention'
  /** An object with a number for each environment. */
  | 'numbers by environment'
  /** An object of texts in mails. */
  | 'mail words'
  /** Recorded without a value. */
  | 'not recorded'
  | readonly string[];

/** What an operation changes as a whole, each member a field. */
type Settings = UpdateAccountBody & UpdateProjectBody & SignInSettings & IdentityProviderSettings;

export const auditFields = {
  name: 'text',
  comment: 'text',
  description: 'text',
  email: 'text',
  reason: 'text',
  // accounts and their limits
  requireSecondFactor: 'switch',
  suspended: 'switch',
  sessions: ['ended'],
  requestsPerMinute: 'number',
  apiRequests: 'number',
  projects: 'number',
  endUsers: 'number',
  storageBytes: 'bytes',
  webhookNetworks: 'identifier',
  // projects
  protectedEnvironments: environments,
  flagsCheck: flagsChecks,
  publicStateHistory: 'retention',
  requiredApprovals: 'numbers by environment',
  // API keys
  start: 'identifier',
  kind: apiKeyKinds,
  access: apiKeyAccess,
  environments,
  expiresAt: 'time',
  // members, invitations and service accounts
  role: roles,
  invitation: 'identifier',
  webhooks: 'identifier',
  secretId: 'identifier',
  // sign-in
  enabled: 'switch',
  redirectUris: 'identifier',
  allowedIdps: 'identifier',
  logoData: 'identifier',
  logoMediaType: 'identifier',
  primaryColor: 'identifier',
  surfaceColor: 'identifier',
  bgColor: 'identifier',
  userStateHistory: 'retention',
  sessionIdleDays: 'number',
  mailWords: 'mail words',
  clientId: 'identifier',
  issuer: 'identifier',
  tenant: 'identifier',
  teamId: 'identifier',
  keyId: 'identifier',
  secret: ['none', 'another one'],
  // players
  until: 'time',
  idHash: 'identifier',
  // states, schemas and proposals
  environment: environments,
  version: 'number',
  mode: schemaModes,
  baseVersion: 'version',
  revision: 'number',
  ops: 'not recorded',
  applyAt: 'time',
  revertAt: 'time',
  failure: 'failure',
  // webhooks
  host: 'text',

  events: 'identifier',
  url: 'not recorded',
} as const satisfies Readonly<Record<keyof Settings, AuditFieldKind>> & Readonly<Record<string, AuditFieldKind>>;

export type AuditField = keyof typeof auditFields;
export const isAuditField = (text: string): text is AuditField => Object.hasOwn(auditFields, text);

/** One value of a kind. */
type ValueOf<Kind extends AuditFieldKind> = Kind extends readonly (infer Word)[]
  ? Word
  : Kind extends 'number' | 'bytes' | 'version'
    ? number
    : Kind extends 'switch'
      ? boolean
      : Kind extends 'text' | 'identifier' | 'time'
        ? string
        : Kind extends 'not recorded'
          ? never
          : object;

/** What a record may contain as the value of a field. */
export type AuditValue<Field extends AuditField> =
  | ValueOf<(typeof auditFields)[Field]>
  | readonly ValueOf<(typeof auditFields)[Field]>[]
  | null
  | undefined;

/** Fields with words for values, and the words of each. */
export type AuditFieldWords = {
  readonly [Field in AuditField as (typeof auditFields)[Field] extends readonly string[] ? Field : never]: Extract<
    (typeof auditFields)[Field],
    readonly string[]
  >[number];
};
