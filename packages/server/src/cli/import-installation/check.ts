/**
 * Checks each record of an export as untrusted input before any is stored: its values, its owner, its order, duplicates, and that
 * everything it refers to is in the export.
 */

import { developerClientId, playerClientId } from '../../common/ids/client-id.ts';
import { Run } from '../../storage/history/restore-versions.ts';
import { runVersionsMax } from '../../storage/history/versions.ts';
import { decodedTextAt } from '../../storage/rows/columns.ts';
import { developerHash } from '../../storage/sql/users/directories.ts';
import { ownIdField } from '../../storage/transfer/ids.ts';
import { type TransferKind, type TransferRecord, type TransferValue, transferKinds } from '../../storage/transfer/kinds.ts';
import { environment, project, type Reference } from '../../storage/transfer/references.ts';
import { valueFault } from '../../storage/transfer/values.ts';
import { keysFor } from '../export/order.ts';
import { CommandFault } from '../fault.ts';
import { Links } from './links.ts';
import { UserStateVersions, type VersionFault } from './user-states.ts';
import { documentFault, ValueChecks } from './values.ts';

/** More than any account has. They are held in memory together. */
const membersMax = 10_000;

/**
 * The highest version that an import of an account may contain. Writes and restores never reach it. A restore starts above the highest
 * version of all, so a record with the last possible version would make restores impossible.
 */
const accountVersionMax = 2 ** 52;
const versionFields = ['version', 'user_version', 'user_version_ceiling', 'user_version_floor', 'schema_version'];

/** Names of missing references in messages. */
const titles: Readonly<Record<string, string>> = {
  account: 'an account',
  project: 'a project',
  environment: 'an environment',
  user: 'a user',
  userState: 'the state of an end user',
  'service account': 'a service account',
  document: 'the newest version of a document',
  head: 'an environment with a document of this version',
};

const keyOf = ([what, ...fields]: Reference, record: TransferRecord): Parameters<Links['define']> => [
  what,
  ...fields.map((field) => record[field] ?? null),
];

export class RecordChecks {
  /** The account of the export; null for the whole installation. */
  readonly #account: string | null;
  readonly #links = new Links();
  readonly #userStates = new UserStateVersions();
  readonly #values: ValueChecks;
  /** The position of the newest audit record, by account. */
  readonly #auditPositions = new Map<TransferValue, number>();
  #kind: TransferKind | undefined;
  #keyOf: ReturnType<typeof keysFor> | undefined;
  #last: Uint8Array | undefined;
  #records = 0;
  #line = 0;
  /** The document whose versions are being read, and their run. */
  #document: { readonly name: readonly [string, string, number]; run: Run; depth: number; version: number } | undefined;
  readonly #counted = { installation: 0, accounts: 0 };

  constructor(account: string | null) {
    this.#account = account;
    this.#values = new ValueChecks(account !== null);
  }

  /** Checks the record of a line. Throws `CommandFault`, which names the line, if it is invalid. */
  add(line: number, kind: TransferKind, record: TransferRecord): void {
    this.#line = line;
    if (kind !== this.#kind) this.#begin(kind);
    this.#records += 1;
    const fault =
      valueFault(kind, record) ??
      this.#values.fault(kind, record) ??
      this.#ownerFault(kind, record) ??
      this.#followingFault(kind, record);
    if (fault !== undefined) this.#refuse(fault);
    this.#requireOrder(record);
    this.#noteNames(kind, record);
    this.#noteLinks(kind, record);
    if (kind === 'public_state_versions') this.#readVersion(record);
    if (kind === 'user_states') this.#userStates.addUserState(record);
    if (kind === 'user_state_versions') this.#requireUserState(this.#userStates.addVersion(line, record));
  }

  /** Finishes after the last record. Throws `CommandFault` if something is missing. */
  end(): void {
    this.#endDocument();
    this.#requireUserState(this.#userStates.end());
    const missing = this.#links.missing();
    if (missing !== undefined) {
      const what = titles[missing.kind] ?? missing.kind;
      throw new CommandFault(`line ${missing.line} of the export refers to ${what} that the export does not have`);
    }
    if (this.#account === null && this.#counted.installation !== 1)
      throw new CommandFault('the export of an installation does not have its secrets, or more than once');
    if (this.#account !== null && this.#counted.accounts !== 1)
      throw new CommandFault(`the export does not have the account ${this.#account}`);
  }

  close(): void {
    this.#links.close();
    this.#userStates.close();
  }

  #refuse(fault: string): never {
    const title = this.#kind === undefined ? 'a record' : transferKinds[this.#kind].title;
    throw new CommandFault(`line ${this.#line} of the export (${title}) ${fault}`);
  }

  #begin(kind: TransferKind): void {
    this.#endDocument();
    this.#requireUserState(this.#userStates.end());
    this.#kind = kind;
    this.#keyOf = keysFor(kind);
    this.#last = undefined;
    this.#records = 0;
  }

  #ownerFault(kind: TransferKind, record: TransferRecord): string | undefined {
    const { owner } = transferKinds[kind];
    if (kind === 'accounts' || kind === 'installation') this.#counted[kind] += 1;
    if (this.#account === null) return undefined;
    if (owner === undefined) return 'belongs to an installation, and the export is of one account';
    if (record[owner] !== this.#account) return `belongs to another account than ${this.#account}`;
    const far = versionFields.find((name) => Number(record[name] ?? 0) > accountVersionMax);
    if (far !== undefined) return `"${far}" is beyond ${accountVersionMax}, which no version of an account reaches`;
    const isMany = (kind === 'members' || kind === 'developers') && this.#records > membersMax;
    return isMany ? `is one of more than ${membersMax} members` : undefined;
  }

  /** Values that follow from other fields or records are not taken from the file. */
  #followingFault(kind: TransferKind, record: TransferRecord): string | undefined {
    if (kind === 'accounts') this.#auditPositions.set(record.account_id ?? null, Number(record.audit_position));
    if (kind === 'audit_records') {
      const newest = this.#auditPositions.get(record.account_id ?? null) ?? Number.POSITIVE_INFINITY;
      return Number(record.position) <= newest ? undefined : '"position" is beyond the "audit_position" of the account';
    }
    if (kind === 'sign_ins') {
      const { account_id: accountId, slug } = record as { readonly account_id: string; readonly slug: string | null };
      const client = slug === null ? developerClientId : playerClientId({ accountId, slug });
      return decodedTextAt(record, 'client_id') === client
        ? undefined
        : '"client_id" names another client than that of its project';
    }
    if (kind === 'api_keys' && record.kind !== 'publishable' && record.sealed_key !== null)
      return 'has the text of a secret key';
    if (kind !== 'members' && kind !== 'developers') return undefined;
    const expected = developerHash(decodedTextAt(record, 'issuer'), decodedTextAt(record, 'subject'));
    const isRight = Buffer.compare(expected, record.developer_hash as Uint8Array) === 0;
    return isRight ? undefined : 'names another developer than its hash';
  }

  /** Records of a kind are sorted by their keys. */
  #requireOrder(record: TransferRecord): void {
    const key = this.#keyOf?.(record) ?? new Uint8Array();
    const order = this.#last === undefined ? -1 : Buffer.compare(this.#last, key);
    if (order === 0) this.#refuse('is in it twice');
    if (order > 0) this.#refuse('is not where it was written: lines were moved or added');
    this.#last = key;
  }

  #noteNames(kind: TransferKind, record: TransferRecord): void {
    const once = (...name: Parameters<Links['define']>) => {
      if (!this.#links.define(...name)) this.#refuse('is in it twice');
    };
    const ownId = kind === 'accounts' ? undefined : ownIdField(kind);
    if (ownId !== undefined && record[ownId] !== null) once(`${kind} ${ownId}`, record[ownId] ?? null);
    const { knownAs } = transferKinds[kind];
    if (knownAs !== null) once(...keyOf(knownAs, record));
    if (kind === 'projects')
      for (const each of [0, 1, 2]) this.#links.refer(this.#line, ...keyOf(environment, { ...record, environment: each }));
    if (kind === 'environments' && record.is_present === 1) {
      const [, ...place] = keyOf(environment, record);
      this.#links.define('head', ...place, record.version ?? 0);
      this.#links.refer(this.#line, 'document', ...place, record.version ?? 0);
    }
  }

  #noteLinks(kind: TransferKind, record: TransferRecord): void {
    const refer = (reference: Reference) => this.#links.refer(this.#line, ...keyOf(reference, record));
    const { owner, isOfProject, refersTo } = transferKinds[kind];
    if (owner !== undefined && record[owner] !== '') refer(['account', owner]);
    if (isOfProject) refer(project);
    if (refersTo !== null && !(kind === 'sign_ins' && record.slug === null)) refer(refersTo);
  }

  /** Builds the text of a version from those before it, and checks its size and content. */
  #readVersion(record: TransferRecord): void {
    const name = [String(record.account_id), String(record.slug), Number(record.environment)] as const;
    if (this.#document?.name.join('/') !== name.join('/')) {
      this.#endDocument();
      this.#document = { name, run: new Run(), depth: -1, version: 0 };
    }
    const document = this.#document;
    const depth = Number(record.depth);
    if (depth !== 0 && (depth !== document.depth + 1 || depth >= runVersionsMax))
      this.#refuse('does not follow the version before it');
    document.run.take(record);
    const text = document.run.textOf(record);
    if (text === undefined || Buffer.byteLength(text) !== record.state_bytes)
      this.#refuse('cannot be read: what is stored is not what was written');
    const fault = documentFault(text);
    if (fault !== undefined) this.#refuse(`"state" ${fault}`);
    document.depth = depth;
    document.version = Number(record.version);
  }

  /** The fault of a version is known when all rows of its user state are read. */
  #requireUserState(found: VersionFault | undefined): void {
    if (found === undefined) return;
    this.#line = found.line;
    this.#refuse(found.fault);
  }

  #endDocument(): void {
    if (this.#document === undefined) return;
    const { name, version } = this.#document;
    this.#links.define('document', ...name, version);
    this.#links.refer(this.#line, 'head', ...name, version);
    this.#document = undefined;
  }
}
