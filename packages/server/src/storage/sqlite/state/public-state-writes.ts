import type { DatabaseSync } from 'node:sqlite';
import type { ApplicationRefused, ProposalWrite } from '../../contract/proposals.ts';
import type { Author, WriteOutcome } from '../../contract/public-states.ts';
import { nextVersion } from '../../history/version-floors.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { noProject } from '../../rows/state-rows.ts';
import { commentBytes, encodeText } from '../../rows/stored-texts.ts';
import { recordStateWrite } from '../../sql/audit/audit.ts';
import { checkProposalWrite, recordProposalWrite } from '../../sql/proposals/proposal-applications.ts';
import { runNow } from '../../sql/steps.ts';
import { storeStateChange } from '../../sql/webhooks/webhook-queue.ts';
import { engineSql } from '../engine-sql.ts';
import { headKey, headKeySql } from '../schema/head-keys.ts';
import { statements } from '../steps.ts';
import type { UsageTotals } from '../usage/usage-totals.ts';
import type { Commands } from '../writer/commands.ts';
import { type PublicStateWrite, publicStateWrite } from '../writer/state-writes.ts';
import { encodeWriteOutcome } from '../writer/write-outcomes.ts';
import type { RepeatWrites } from './repeats.ts';

/** The cached row of `public_state_heads` of one key. */
interface Head {
  readonly projectId: number;
  readonly headKey: number;
  version: number;
  newestId: number | bigint | null;
  keptBytes: number;
  /** The webhooks that each have a change of this document waiting, which takes in what comes, as far as this is known. */
  collecting: string | undefined;
}

/** The maximum number of cached heads; about 200 bytes each. */
const headsMax = 50_000;

/**
 * The conditional write, on the writer thread. It caches the heads that it has read or written, so a write is one INSERT and one UPDATE.
 * The cache is valid as long as no other process writes. The writer calls `forget` when another process has written, when a transaction was
 * rolled back, and when a project or account is deleted.
 */
export class PublicStateWrites {
  readonly #heads = new Map<string, Head>();
  /** The heads with a known `collecting`. */
  readonly #collecting = new Set<Head>();
  readonly #findHead;
  readonly #insertVersion;
  readonly #putHead;
  readonly #usage: UsageTotals;
  readonly #repeats: RepeatWrites;
  readonly #query;

  constructor(database: DatabaseSync, usage: UsageTotals, repeats: RepeatWrites) {
    this.#usage = usage;
    this.#repeats = repeats;
    this.#query = statements(database);
    // No row: no such project. A row without `version`: nothing was ever written to this environment. A row without `newest_id`: nothing is
    // stored now, and versions continue above `version`.
    this.#findHead = database.prepare(`
      SELECT project_id, version, newest_id, kept_bytes
      FROM accounts
      JOIN projects USING (account_id)
      LEFT JOIN public_state_heads ON head_key = ${headKeySql('projects.project_id', '?3')}
      WHERE account_id = ?1 AND slug = ?2`);
    // One row, always.
    this.#insertVersion = database.prepare(`
      INSERT INTO public_state_versions
        (previous_id, project_id, environment, version, written_at, state_bytes, depth, checksum, author, comment, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))`);
    // One row, always.
    this.#putHead = database.prepare(`
      INSERT INTO public_state_heads (head_key, version, newest_id, kept_bytes) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET version = excluded.version, newest_id = excluded.newest_id, kept_bytes = excluded.kept_bytes`);
  }

  forget(): void {
    this.#heads.clear();
    this.#collecting.clear();
  }

  /** Must be called with each other command that may end or remove a change that waits for webhooks. */
  forgetCollecting(): void {
    for (const head of this.#collecting) head.collecting = undefined;
    this.#collecting.clear();
  }

  readonly write: Commands['writePublicState'] = (values) => encodeWriteOutcome(this.#write(publicStateWrite(...values)));

  #write(write: PublicStateWrite): WriteOutcome {
    const { accountId, slug, expectedVersion, stateBytes, comment, writtenAt, repeat, by, application } = write;
    const head = this.#head(accountId, slug, write.environment);
    if (head === undefined) return noProject;
    const repeated = repeat && this.#repeats.find(accountId, repeat);
    if (repeated !== undefined) return repeated;
    const current = head.newestId === null ? null : head.version;
    if (expectedVersion !== current) return { kind: 'conflict', currentVersion: current };
    const notApplied = application && this.#check(write, application);
    if (notApplied !== undefined) return notApplied;
    const { projectId, newestId } = head;
    const text = comment === null ? null : encodeText(comment);
    const bytes = stateBytes + commentBytes(text);
    const refused = this.#usage.refuseBytes(accountId, bytes, write.storageBytesMax);
    if (refused !== undefined) return refused;
    const version = nextVersion(head.version, write.versionFloor);
    const keyValues = [newestId, projectId, write.environment, version] as const;
    const facts = [writtenAt, stateBytes, write.depth, write.checksum, write.author, text] as const;
    const inserted = this.#insertVersion.run(...keyValues, ...facts, write.state);
    const keptBytes = head.keptBytes + bytes;
    this.#putHead.run(head.headKey, version, inserted.lastInsertRowid, keptBytes);
    this.#usage.addBytes(accountId, bytes);
    head.keptBytes = keptBytes;
    head.version = version;
    head.newestId = inserted.lastInsertRowid;
    if (repeat !== undefined) this.#repeats.keep(accountId, repeat, version, writtenAt);
    if (write.subscribers !== undefined && write.subscribers !== head.collecting) this.#tell(write, head, current ?? 0);
    if (by !== undefined || application !== undefined) this.#note(write, current ?? 0, version);
    return { kind: 'written', version };
  }

  /** Whether a proposal may be applied or reverted. */
  #check({ accountId, slug, environment }: PublicStateWrite, application: ProposalWrite): ApplicationRefused | undefined {
    const key = { accountId, slug, environment: environmentNames[environment] };
    return runNow(checkProposalWrite(engineSql, key, application), this.#query);
  }

  /** Stores the events of a write. Until `forgetCollecting`, further writes for the same webhooks need none. */
  #tell(write: PublicStateWrite, head: Head, from: number): void {
    const { accountId, slug, comment, writtenAt: at } = write;
    const key = { accountId, slug, environment: environmentNames[write.environment] };
    const author = write.author === null ? null : (JSON.parse(write.author) as Author);
    const change = { from, version: head.version, author, comment, at };
    head.collecting = runNow(storeStateChange(key, change), this.#query);
    this.#collecting.add(head);
  }

  /** Stores the record of a write in the audit trail, and the step of its proposal. */
  #note(write: PublicStateWrite, from: number, version: number): void {
    const { accountId, slug, comment, by, application } = write;
    const key = { accountId, slug, environment: environmentNames[write.environment] };
    if (by !== undefined) runNow(recordStateWrite(key, by, { version, comment }), this.#query);
    if (application !== undefined) runNow(recordProposalWrite(key, application, { from, version }), this.#query);
    this.#usage.flush();
    this.#usage.forget();
  }

  #head(accountId: string, slug: string, environment: number): Head | undefined {
    const key = `${accountId}/${slug}/${environment}`;
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const row = this.#findHead.get(accountId, slug, environment);
    if (row === undefined) return undefined;
    const projectId = integerAt(row, 'project_id');
    const head: Head = {
      projectId,
      headKey: headKey(projectId, environment),
      version: optionalIntegerAt(row, 'version') ?? 0,
      newestId: optionalIntegerAt(row, 'newest_id'),
      keptBytes: optionalIntegerAt(row, 'kept_bytes') ?? 0,
      collecting: undefined,
    };
    if (this.#heads.size >= headsMax) this.forget();
    this.#heads.set(key, head);
    return head;
  }
}
