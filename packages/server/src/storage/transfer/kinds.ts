/**
 * The kinds of records that are copied between engines, each in a form that both engines read and write, without an engine's internal
 * numbers and ids. Accounts are named by their ids, projects by account and slug.
 *
 * Fields have the names of columns, which are the same in every engine, and hold the columns' values: texts chosen by people as JSON
 * strings (stored-texts.ts), environments as their numbers. Rows of shared tables are records as they are.
 */

import { columnsIn, type SharedTable } from '../sql/schema/declaration.ts';
import { type SharedTableName, sharedTables } from '../sql/schema/tables.ts';
import { type KindReferences, kindReferences } from './references.ts';

export type TransferValue = string | number | null | Uint8Array;
export type TransferRecord = Readonly<Record<string, TransferValue>>;

/** What is copied, exported and checked of a kind follows from this description. A shared table's declaration is one. */
interface Described extends Pick<SharedTable, 'title' | 'columns' | 'owner' | 'isOfProject' | 'isPassing'> {
  /** Fields that identify a record in an export, in the order of its records there. */
  readonly key: readonly string[];
  /** Fields that group records with their own order. They are read in that order, one group after the other. */
  readonly orderedWithin?: readonly string[];
}

export interface Kind extends Described, KindReferences {
  readonly fields: readonly string[];
  readonly nullable: ReadonlySet<string>;
  /** The values of fields in records from before these fields; undefined for fields that every record has. */
  readonly defaults: Readonly<Record<string, TransferValue | undefined>>;
}

/**
 * The kinds that each engine stores in its own form. They come after the kinds of shared tables, to which they refer.
 *
 * Two kinds of data are left out. Allotments of limits per minute expire before a copy ends. Version floors of players are in buckets by a
 * hash over the engine's own project id, so their bucket in the target engine is unknown; the highest floor is copied as the floor of the
 * whole environment (`user_version_floor`).
 */
const engineKinds = {
  installation: { title: 'secrets of the installation', columns: { bucket_secret: 'bytes' }, key: [] },
  /** Three for each project, written to or not. While `is_present` is 0, `version` is a floor. */
  environments: {
    title: 'environments',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      version: 'integer',
      is_present: 'integer',
      user_version_floor: 'integer',
      user_version_ceiling: 'integer',
    },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
  },
  /** The versions of an environment come in ascending order. The stored text is the same in every engine. */
  public_state_versions: {
    title: 'versions of public state',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      version: 'integer',
      written_at: 'integer',
      state_bytes: 'integer',
      depth: 'integer',
      checksum: 'bytes',
      author: 'text?',
      comment: 'text?',
      state: 'text',
    },
    key: ['account_id', 'slug', 'environment', 'version'],
    owner: 'account_id',
  },
  user_states: {
    title: 'states of end users',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      end_user_id: 'text',
      updated_at: 'integer',
      created_at: 'integer?',
      version: 'integer',
      history_version: 'integer?',
      history_bytes: 'integer',
      author: 'text?',
      comment: 'text?',
      state_bytes: 'integer',
      state: 'text',
      is_linked: 'integer',
    },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
    orderedWithin: ['account_id', 'slug', 'environment'],
  },
  /** Versions before the current one. The stored text is the same in every engine. */
  user_state_versions: {
    title: 'versions of states of end users',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      end_user_id: 'text',
      version: 'integer',
      written_at: 'integer',
      replaced_at: 'integer',
      form: 'integer',
      checksum: 'bytes',
      author: 'text?',
      comment: 'text?',
      state_bytes: 'integer',
      state: 'text',
    },
    key: ['account_id', 'slug', 'environment', 'end_user_id', 'version'],
    owner: 'account_id',
  },
  /**
   * Authorization codes, with the refresh-token family that each was spent for. `slug` and `environment` are null for developers; the
   * fields after `family_id` are null until the code is spent, and `secret_hash` is null once the family is revoked.
   */
  sign_ins: {
    title: 'authorization codes and refresh-token families',
    columns: {
      code_hash: 'bytes',
      account_id: 'text',
      slug: 'text?',
      environment: 'integer?',
      client_id: 'text',
      subject: 'text',
      scope: 'text',
      code_expires_at: 'integer',
      redirect_uri: 'text',
      code_challenge: 'text',
      email: 'text?',
      name: 'text?',
      family_id: 'text?',
      created_at: 'integer?',
      idle_expires_at: 'integer?',
      absolute_expires_at: 'integer?',
      secret_hash: 'bytes?',
      previous_secret_hash: 'bytes?',
      replaced_at: 'integer?',
      exchange_marks: 'bytes?',
      amr: 'text?',
      place: 'text?',
      player_epoch: 'integer',
    },
    key: ['code_hash'],
    owner: 'account_id',
  },
  write_repeats: {
    title: 'writes that can be repeated',
    columns: {
      account_id: 'text',
      scope: 'bytes',
      slot: 'integer',
      repeat_key: 'bytes',
      request: 'bytes',
      version: 'integer',
      written_at: 'integer',
    },
    key: ['written_at', 'account_id', 'scope', 'slot'], // the sweep removes the oldest first
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, Described>>;

function kindOf(described: Described, references: KindReferences): Kind {
  const columns = columnsIn({ since: 1, ...described }).filter(({ type }) => type !== 'generated');
  return {
    ...described,
    ...references,
    fields: columns.map(({ name }) => name),
    nullable: new Set(columns.filter(({ isNullable }) => isNullable).map(({ name }) => name)),
    defaults: Object.fromEntries(columns.map((column) => [column.name, column.default])),
  };
}

/** A kind that each engine stores in tables of its own form. */
export type EngineKind = keyof typeof engineKinds;
export type TransferKind = EngineKind | SharedTableName;

const { installation, ...otherEngineKinds } = engineKinds;
const described: Readonly<Record<TransferKind, Described>> = {
  installation, // first: it shows that the place has a store
  ...sharedTables,
  accounts: { ...sharedTables.accounts, owner: 'account_id' }, // an account owns its own record
  ...otherEngineKinds,
};

const references: Readonly<Record<TransferKind, KindReferences>> = kindReferences;
const names = Object.keys(described) as TransferKind[];

export const transferKinds = Object.fromEntries(
  names.map((name) => [name, kindOf(described[name], references[name])]),
) as Readonly<Record<TransferKind, Kind>>;
/** The kinds in a copy to another engine. */
export const copiedKindNames: readonly TransferKind[] = names;
/** The kinds in an export. */
export const transferKindNames = copiedKindNames.filter((kind) => !transferKinds[kind].isPassing);
