/** The tables of the built-in identity provider and of the providers behind it (tables.ts). */
import type { SharedTable } from '../schema/declaration.ts';
import { waitingMails } from './waiting-mails.ts';

export const identityTables = {
  identity_providers: {
    title: 'identity providers',
    placement: 'managed',
    since: 1,
    columns: {
      directory_id: 'text',
      provider_id: 'text',
      created_at: 'integer',
      updated_at: 'integer',
      settings: 'text',
      sealed_secret: 'bytes?',
    },
    key: ['directory_id', 'provider_id'],
    owner: 'directory_id',
  },
  /** `position` counts the sign-ups of an address from 1, so that the newest one within a millisecond is known. */
  pending_sign_ups: {
    title: 'pending sign-ups',
    placement: 'managed',
    since: 1,
    columns: {
      sign_up_hash: 'bytes',
      directory_id: 'text',
      position: 'integer',
      created_at: 'integer',
      expires_at: 'integer',
      attempts_left: 'integer',
      code_hash: 'bytes',
      email: 'text',
      email_key: 'text',
      name: 'text?',
      password_hash: 'text',
    },
    key: ['sign_up_hash'],
    indexes: {
      pending_sign_ups_by_email: '(directory_id, email_key)',
      pending_sign_ups_by_expiry: '(expires_at)',
    },
    owner: 'directory_id',
  },
  password_resets: {
    title: 'password resets',
    placement: 'managed',
    since: 1,
    columns: {
      token_hash: 'bytes',
      directory_id: 'text',
      user_id: 'text',
      expires_at: 'integer',
      return_query: 'text',
    },
    key: ['token_hash'],
    indexes: { password_resets_by_user: '(directory_id, user_id)', password_resets_by_expiry: '(expires_at)' },
    owner: 'directory_id',
  },
  waiting_mails: waitingMails,
  /** `position` counts the passkeys of a user from 1. */
  passkeys: {
    title: 'passkeys',
    placement: 'managed',
    since: 1,
    columns: {
      directory_id: 'text',
      credential_id: 'text',
      user_id: 'text',
      position: 'integer',
      counter: 'integer',
      created_at: 'integer',
      last_used_at: 'integer?',
      transports: 'text',
      public_key: 'bytes',
    },
    key: ['directory_id', 'credential_id'],
    indexes: { passkeys_by_user: '(directory_id, user_id)' },
    owner: 'directory_id',
  },
  /** The sealed secret of an authenticator app. `last_step` is the newest time step of a used code. */
  second_factors: {
    title: 'second factors',
    placement: 'managed',
    since: 8,
    columns: {
      directory_id: 'text',
      user_id: 'text',
      created_at: 'integer',
      last_step: 'integer',
      sealed_secret: 'bytes',
    },
    key: ['directory_id', 'user_id'],
    owner: 'directory_id',
  },
  /** Keyed hashes of one-time codes that replace the app. */
  recovery_codes: {
    title: 'recovery codes',
    placement: 'managed',
    since: 8,
    columns: { directory_id: 'text', user_id: 'text', code_hash: 'bytes' },
    key: ['directory_id', 'user_id', 'code_hash'],
    owner: 'directory_id',
  },
  federated_identities: {
    title: 'links to identity providers',
    placement: 'managed',
    since: 1,
    columns: { directory_id: 'text', provider_id: 'text', issuer: 'text', subject: 'text', user_id: 'text' },
    key: ['directory_id', 'provider_id', 'issuer', 'subject'],
    indexes: { federated_identities_by_user: '(directory_id, user_id)' },
    owner: 'directory_id',
  },
  /**
   * Users of the built-in identity provider and of other providers. `email_key` is set only for users with a proven address, since only
   * they are found by it; removing the password keeps it. Users come after everything that refers to them: rows of a deleted account are
   * cleared in the order of this list.
   */
  users: {
    title: 'users',
    placement: 'managed',
    since: 1,
    columns: {
      directory_id: 'text',
      user_id: 'text',
      created_at: 'integer',
      email: 'text?',
      email_key: 'text?',
      name: 'text?',
      password_hash: 'text?',
      reset_at: 'integer?',
    },
    key: ['directory_id', 'user_id'],
    indexes: {
      users_by_email: 'UNIQUE (directory_id, email_key) WHERE email_key IS NOT NULL',
      users_by_creation: '(directory_id, created_at, user_id)',
    },
    owner: 'directory_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;

/** Tickets are valid for one use, and remembered until they expire. */
export const spentTickets = {
  title: 'spent tickets',
  placement: 'local',
  since: 1,
  columns: { ticket_hash: 'bytes', expires_at: 'integer' },
  key: ['ticket_hash'],
  indexes: { spent_tickets_by_expiry: '(expires_at)' },
} as const satisfies SharedTable;
