/**
 * The allowed values of each field of a record, from any source: type, length and form. An import checks every value of a file before it
 * stores any.
 */
import {
  accountIdPattern,
  apiKeyAccess,
  apiKeyKinds,
  flagsChecks,
  identityProviderIdPattern,
  memberRoles,
  recordBytesMax,
  schemaKinds,
  schemaModes,
  serviceAccountRoles,
  slugCharactersMax,
  slugPattern,
  stateCharactersMax,
} from '@holdfast/contract';
import { signingPurposes } from '../contract/sign-in-store.ts';
import { environmentNames } from '../rows/rows.ts';
import { columnsIn } from '../sql/declaration.ts';
import { marks } from '../sql/mark-table.ts';
import { sharedTable, sharedTableNames } from '../sql/tables.ts';
import { togetherFault } from './combinations.ts';
import { type TransferKind, type TransferRecord, type TransferValue, transferKindNames, transferKinds } from './kinds.ts';
import {
  bytes,
  checksum,
  either,
  type Form,
  flag,
  hash,
  integer,
  isAuthor,
  isDetail,
  isListOf,
  isObject,
  json,
  sealed,
  text,
  word,
} from './value-forms.ts';

/** Longer than any name, address or id that the service accepts, even written as a JSON string of escapes. */
const shortBytesMax = 16 * 1024;
const documentBytesMax = 4 * stateCharactersMax;

const isEnvironmentList = isListOf(environmentNames);

/** A text chosen by a person, as encoded by rows.ts. */
const encoded = json(shortBytesMax, (parsed) => typeof parsed === 'string');
const object = json(8 * recordBytesMax, isObject);
const environmentList = json(256, isEnvironmentList);
const count = integer(0);
const limit = count;
const time = count;
const version = integer(1);
const floor = count;
const slug = text(slugCharactersMax, slugPattern);
const idOf = (prefix: string) => text(128, new RegExp(`^${prefix}_[0-9A-Za-z_]+$`));
const accountId = text(128, accountIdPattern);
const environment = integer(0, environmentNames.length - 1);
const plain = text(2_048);
/** Environment names, comma-separated. */
const environmentWords = text(64, new RegExp(`^(?:${environmentNames.join('|')})(?:,(?:${environmentNames.join('|')}))*$`));

/** By field name, which has the same meaning in most kinds. */
const forms: Readonly<Record<string, Form>> = {
  absolute_expires_at: time,
  access: word(...apiKeyAccess),
  account_id: accountId,
  action: text(128, /^[a-z_]+(?:\.[a-z_]+)+$/),
  actor_id: encoded,
  actor_kind: text(32, /^[a-z_]+$/),
  actor_name: encoded,
  amr: text(256, /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/),
  api_requests_max: limit,
  at: time,
  attempts_left: count,
  audit_bytes: count,
  audit_position: count,
  author: json(shortBytesMax, isAuthor),
  blocked_at: time,
  bucket_secret: sealed,
  bytes: count,
  caller: text(256),
  checksum,
  client_id: encoded,
  code: text(128, /^[a-z0-9_]*$/),
  code_challenge: encoded,
  code_expires_at: time,
  code_hash: hash,
  comment: encoded,
  counted_at: time,
  counter: count,
  created_at: time,
  credential_id: text(2_048, /^[A-Za-z0-9_-]+$/),
  day_starts_at: time,
  depth: count,
  detail: json(recordBytesMax, isDetail),
  developer_hash: hash,
  directory_id: either('', accountId),
  email: encoded,
  email_key: encoded,
  end_user_id: encoded,
  end_users_max: limit,
  ended_at: time,
  environment,
  environments: environmentList,
  exchange_marks: bytes(0, 4_096),
  expires_at: time,
  family_id: text(128, /^[0-9A-Za-z_-]+$/),
  flags_check: word(...flagsChecks),
  form: integer(0, 3),
  history_bytes: count,
  history_version: count,
  id_key: bytes(1, 1_000),
  idle_expires_at: time,
  idp_tenant_id: plain,
  instructions: count,
  invitation_hash: hash,
  invitation_id: idOf('inv'),
  inviter: encoded,
  is_linked: flag,
  is_present: flag,
  issuer: encoded,
  joined_at: time,
  key_hash: hash,
  key_id: text(256, /^[\x21-\x7e]+$/),
  kind: word(...schemaKinds),
  last_seen_at: time,
  last_signed_in_at: time,
  last_step: count,
  last_used_at: time,
  linked_at: time,
  maker_id: idOf('mem'),
  mark_id: integer(1, 1),
  member_id: idOf('mem'),
  mode: word(...schemaModes),
  month_starts_at: time,
  name: encoded,
  name_key: bytes(1, 1_000),
  noted_at: time,
  of_day: count,
  password_hash: text(1_024, /^\$[\x21-\x7e]+$/),
  place: plain,
  player_epoch: time,
  player_hash: bytes(16),
  player_id: encoded,
  position: count,
  previous_secret_hash: hash,
  projects: count,
  projects_max: limit,
  protected_environments: environmentList,
  provider: encoded,
  provider_id: text(128, identityProviderIdPattern),
  public_jwk: object,
  public_key: bytes(1, 16 * 1024),
  public_state_history: json(256, isObject),
  purpose: word(...signingPurposes),
  reason: encoded,
  redirect_uri: encoded,
  repeat_key: hash,
  replaced_at: time,
  request: hash,
  request_id: text(256, /^[\x20-\x7e]*$/),
  requests: count,
  requests_per_minute_max: limit,
  require_second_factor: flag,
  reset_at: time,
  return_query: encoded,
  role: word(...memberRoles),
  schema: text(documentBytesMax),
  schema_bytes: count,
  schema_version: floor,
  scope: encoded,
  sealed_key: sealed,
  sealed_private_jwk: sealed,
  sealed_secret: sealed,
  secret_hash: hash,
  secret_id: idOf('sec'),
  served_at: time,
  service_account_id: idOf('sa'),
  settings: object,
  sign_up_hash: hash,
  signed_out_at: time,
  slot: count,
  slug,
  start: text(64, /^[\x21-\x7e]+$/),
  state: text(documentBytesMax),
  state_bytes: integer(1, documentBytesMax),
  storage_bytes_max: limit,
  subject: encoded,
  suspended_at: time,
  target: encoded,
  ticket_hash: hash,
  token_hash: hash,
  token_id: text(128, /^[0-9A-Za-z_-]+$/),
  transports: json(1_024, isListOf()),
  until: time,
  updated_at: time,
  user_id: plain,
  user_version: floor,
  user_version_ceiling: floor,
  user_version_floor: floor,
  version,
  waited_ms: count,
  written_at: time,
};

/** Fields that have a different form in some kinds. */
const special: Partial<Readonly<Record<TransferKind, Readonly<Record<string, Form>>>>> = {
  api_keys: { key_id: idOf('key'), kind: word(...apiKeyKinds), environments: environmentWords },
  service_accounts: { role: word(...serviceAccountRoles), environments: environmentWords },
  request_figures: { slug: either('', slug) },
  player_endings: { slug: either('', slug), environment: integer(-1, environmentNames.length - 1) },
  version_floors: { version: floor },
  environments: { version: floor },
  identities: { email_key: bytes(1, 1_000) },
  marks: { name: word(...Object.values(marks)), value: integer(0, 2 ** 52) },
  write_repeats: { scope: bytes(16) },
};

/** The nullable fields of kinds other than shared tables, whose declarations say this themselves. */
const nullable: Partial<Readonly<Record<TransferKind, readonly string[]>>> = {
  public_state_versions: ['author', 'comment'],
  // User states from before these columns have none until they are written again.
  user_states: ['author', 'comment', 'created_at', 'history_version'],
  user_state_versions: ['author', 'comment'],
  sign_ins: [
    'slug',
    'environment',
    'email',
    'name',
    'family_id',
    'created_at',
    'idle_expires_at',
    'absolute_expires_at',
    'secret_hash',
    'previous_secret_hash',
    'replaced_at',
    'exchange_marks',
    'amr',
    'place',
  ],
};

function nullableOf(kind: TransferKind): readonly string[] {
  const shared = sharedTableNames.find((name) => name === kind);
  if (shared === undefined) return nullable[kind] ?? [];
  return columnsIn(sharedTable(shared)).flatMap(({ name, isNullable }) => (isNullable ? [name] : []));
}

/** For an unlisted field, which a test finds. */
const anyValue: Form = (value) =>
  typeof value === 'number'
    ? integer(Number.MIN_SAFE_INTEGER)(value)
    : typeof value === 'string'
      ? text(documentBytesMax)(value)
      : bytes(0, documentBytesMax)(value);

/** The fields of all kinds whose form is not listed here. */
export const unlistedFields = (): string[] =>
  transferKindNames.flatMap((kind) =>
    transferKinds[kind].fields
      .filter((field) => special[kind]?.[field] === undefined && forms[field] === undefined)
      .map((field) => `${kind}.${field}`),
  );

/** The form of each field of a kind. */
function formsOf(kind: TransferKind): readonly (readonly [string, Form, boolean])[] {
  const nullables = nullableOf(kind);
  return transferKinds[kind].fields.map((field) => {
    const form = special[kind]?.[field] ?? forms[field] ?? anyValue;
    return [field, form, nullables.includes(field)];
  });
}

const formsByKind = new Map(transferKindNames.map((kind) => [kind, formsOf(kind)]));

/** Returns what is wrong with the values of a record; undefined if they are valid. The result names fields, never values. */
export function valueFault(kind: TransferKind, record: TransferRecord): string | undefined {
  for (const [field, form, isNullable] of formsByKind.get(kind) ?? []) {
    const value = record[field] as TransferValue;
    if (value === null && isNullable) continue;
    const fault = value === null ? 'is null' : form(value);
    if (fault !== undefined) return `"${field}" ${fault}`;
  }
  return togetherFault(kind, record);
}
