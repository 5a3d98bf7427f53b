/** Writes the records of a copy into a database that nobody else uses, and whose tables hold nothing else. */
import { randomUUID } from 'node:crypto';
import { decodeText } from '../text.ts';
import type { TransferKind, TransferRecord } from '../transfer.ts';
import type { Query, Value } from './connection.ts';
import { developerHash } from './developers.ts';
import { developersDirectory } from './directories.ts';
import { ProjectIds } from './transfer-projects.ts';
import { bucketOf, usagePartOf } from './user-states.ts';

type Columns = Readonly<Record<string, 'text' | 'bigint' | 'smallint' | 'boolean' | 'uuid' | 'bytea'>>;
type Fields = Readonly<Record<string, Value>>;

/** Where the records of a kind go: a row each, with fields that only this engine has. */
interface Table {
  readonly table: string;
  readonly columns: Columns;
  /** Whether rows carry the id of the project that records name by its slug, if they do. */
  readonly isOfProject?: true;
  readonly added?: (record: TransferRecord) => Fields;
}

/** The directory of a record, which is that of the developers without an account. */
const inDirectory = (record: TransferRecord): Fields => ({ directory_id: record.account_id ?? developersDirectory });

/** Records of an order of their own that were made in one millisecond are told apart by their positions. */
const createdMicros = ({ created_at: createdAt, position }: TransferRecord): number =>
  (createdAt as number) * 1000 + (position as number);

/** The order of the positions of records that were created at the same time is that of these ids. */
function recordIdOf(position: number): string {
  const digits = position.toString(16).padStart(16, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}-8000-000000000000`;
}

const tables: Readonly<Record<Exclude<TransferKind, 'installation'>, Table>> = {
  accounts: {
    table: 'accounts',
    columns: {
      ...({ account_id: 'text', name: 'text', idp_tenant_id: 'text', created_at: 'bigint' } as const),
      ...({ api_requests_max: 'bigint', projects_max: 'bigint' } as const),
      ...({ end_users_max: 'bigint', storage_bytes_max: 'bigint' } as const),
    },
  },
  api_requests: {
    table: 'api_requests',
    columns: { account_id: 'text', month_starts_at: 'bigint', requests: 'bigint' },
  },
  projects: {
    table: 'projects',
    columns: { account_id: 'text', slug: 'text', project_id: 'uuid', name: 'text', created_at: 'bigint' },
    added: () => ({ project_id: randomUUID() }),
  },
  environments: {
    table: 'environments',
    isOfProject: true,
    columns: {
      ...({ account_id: 'text', slug: 'text', environment: 'smallint', project_id: 'uuid', version: 'bigint' } as const),
      ...({ is_present: 'boolean', kept_bytes: 'bigint' } as const),
      ...({ user_version_floor: 'bigint', user_version_ceiling: 'bigint' } as const),
    },
    added: (record) => ({ is_present: record.is_present === 1, kept_bytes: 0 }),
  },
  version_floors: {
    table: 'version_floors',
    columns: { account_id: 'text', slug: 'text', environment: 'smallint', version: 'bigint', user_version: 'bigint' },
  },
  public_state_versions: {
    table: 'public_state_versions',
    isOfProject: true,
    columns: {
      ...({ account_id: 'text', project_id: 'uuid', environment: 'smallint', version: 'bigint' } as const),
      ...({ written_at: 'bigint', state_bytes: 'bigint', comment: 'text', state: 'text' } as const),
    },
  },
  user_states: {
    table: 'user_states',
    isOfProject: true,
    columns: {
      ...({ account_id: 'text', project_id: 'uuid', environment: 'smallint', end_user_id: 'text' } as const),
      ...({ record_id: 'uuid', created_micros: 'bigint', updated_at: 'bigint', version: 'bigint' } as const),
      ...({ state_bytes: 'bigint', grown_bytes: 'bigint', state: 'text' } as const),
    },
    added: (record) => ({
      record_id: recordIdOf(record.position as number),
      created_micros: (record.created_at as number) * 1000,
      grown_bytes: record.state_bytes as number,
    }),
  },
  end_user_auth: {
    table: 'end_user_auth',
    isOfProject: true,
    columns: { account_id: 'text', project_id: 'uuid', settings: 'text' },
  },
  api_keys: {
    table: 'api_keys',
    isOfProject: true,
    columns: {
      ...({ key_hash: 'bytea', key_id: 'text', account_id: 'text', slug: 'text', project_id: 'uuid', name: 'text' } as const),
      ...({ start: 'text', access: 'text', environments: 'text', created_at: 'bigint' } as const),
      ...({ created_micros: 'bigint', last_used_at: 'bigint', expires_at: 'bigint' } as const),
    },
    added: (record) => ({ created_micros: createdMicros(record) }),
  },
  signing_keys: {
    table: 'signing_keys',
    columns: {
      ...({ key_id: 'text', purpose: 'text', public_jwk: 'text', sealed_private_jwk: 'bytea' } as const),
      created_at: 'bigint',
    },
  },
  developers: {
    table: 'developers',
    columns: { developer_hash: 'bytea', issuer: 'text', subject: 'text', account_id: 'text' },
    added: ({ issuer, subject }) => ({ developer_hash: developerHash(decodeText(issuer), decodeText(subject)) }),
  },
  sign_ins: {
    table: 'authorization_codes',
    isOfProject: true,
    columns: {
      ...({ code_hash: 'bytea', account_id: 'text', slug: 'text', project_id: 'uuid', environment: 'smallint' } as const),
      ...({ client_id: 'text', subject: 'text', scope: 'text', redirect_uri: 'text', code_challenge: 'text' } as const),
      ...({ expires_at: 'bigint', email: 'text', name: 'text', family_id: 'text' } as const),
    },
    added: (record) => ({ expires_at: record.code_expires_at as number }),
  },
  users: {
    table: 'users',
    columns: {
      ...({ directory_id: 'text', user_id: 'text', created_at: 'bigint', email: 'text', email_key: 'text' } as const),
      ...({ name: 'text', password_hash: 'text', reset_at: 'bigint' } as const),
    },
    added: inDirectory,
  },
  pending_sign_ups: {
    table: 'pending_sign_ups',
    columns: {
      ...({ sign_up_hash: 'bytea', directory_id: 'text', created_at: 'bigint', created_micros: 'bigint' } as const),
      ...({ expires_at: 'bigint', attempts_left: 'bigint', code_hash: 'bytea', email: 'text' } as const),
      ...({ email_key: 'text', name: 'text', password_hash: 'text' } as const),
    },
    added: (record) => ({ ...inDirectory(record), created_micros: createdMicros(record) }),
  },
  password_resets: {
    table: 'password_resets',
    columns: { token_hash: 'bytea', directory_id: 'text', user_id: 'text', expires_at: 'bigint', return_query: 'text' },
    added: inDirectory,
  },
  passkeys: {
    table: 'passkeys',
    columns: {
      ...({ directory_id: 'text', credential_id: 'text', user_id: 'text', counter: 'bigint' } as const),
      ...({ created_at: 'bigint', created_micros: 'bigint', last_used_at: 'bigint', transports: 'text' } as const),
      public_key: 'bytea',
    },
    added: (record) => ({ ...inDirectory(record), created_micros: createdMicros(record) }),
  },
  identity_providers: {
    table: 'identity_providers',
    columns: {
      ...({ directory_id: 'text', provider_id: 'text', created_at: 'bigint', updated_at: 'bigint' } as const),
      ...({ settings: 'text', sealed_secret: 'bytea' } as const),
    },
    added: inDirectory,
  },
  federated_identities: {
    table: 'federated_identities',
    columns: { directory_id: 'text', provider_id: 'text', issuer: 'text', subject: 'text', user_id: 'text' },
    added: inDirectory,
  },
  spent_tickets: { table: 'spent_tickets', columns: { ticket_hash: 'bytea', expires_at: 'bigint' } },
};
