/**
 * Repeats on a restored store what the audit trail says was taken away since: revocations, removals, blocks and erasures. The lines are
 * those of `GET /v1/{accountId}/audit` with `Accept: application/x-ndjson`, of any number of accounts.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { eraseFrom } from '../../players/player.ts';
import { createErasureHash } from '../../secrets/erasure-hash.ts';
import type { SecretKeys } from '../../secrets/secret-key.ts';
import type { ChangedBy } from '../../storage/contract/audit.ts';
import type { KeyPosition } from '../../storage/contract/players.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Store } from '../../storage/store.ts';
import { CommandFault } from '../fault.ts';

/** Maximum length of a line. Texts in records are cut. */
const lineCharactersMax = 256 * 1024;
/** Maximum number of records in a file. */
const recordsMax = 5_000_000;

/** The used fields of a record. */
interface Line {
  readonly accountId: string;
  readonly position: number;
  readonly requestId: string;
  readonly action: string;
  readonly path: readonly string[];
  readonly detail: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;
}

/** Records that take something away, by account, oldest first, and the other records of the file. */
export type AuditFile = ReadonlyMap<string, { readonly lines: readonly Line[]; readonly all: ReadonlyMap<number, string> }>;

const actions = new Set([
  'api_key.revoke',
  'service_account.delete',
  'service_account_secret.delete',
  'member.remove',
  'project.delete',
  'user.delete',
  'identity_provider.delete',
  'player.block',
  'player.unblock',
  'player.delete',
]);

/** Reads a file of audit lines. Throws `CommandFault`, which names the line, for an invalid one. */
export async function readAuditFile(file: string): Promise<AuditFile> {
  const accounts = new Map<string, { lines: Line[]; all: Map<number, string> }>();
  let number = 0;
  const input = createReadStream(file, 'utf8');
  const failed = new Promise<never>((_, reject) => input.once('error', (error) => reject(unreadable(file, error.message))));
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), failed]);
    if (next.done === true) break;
    number += 1;
    if (next.value === '') continue;
    if (number > recordsMax) throw unreadable(file, `it has more than ${recordsMax} lines`);
    const line = parseLine(next.value);
    if (line === undefined) throw unreadable(file, `line ${number} is not a line of an audit trail with its accountId`);
    const account = accounts.get(line.accountId) ?? { lines: [] as Line[], all: new Map<number, string>() };
    accounts.set(line.accountId, account);
    account.all.set(line.position, line.requestId);
    if (actions.has(line.action)) account.lines.push(line);
  }
  for (const { lines: found } of accounts.values()) found.sort((a, b) => a.position - b.position);
  return accounts;
}

const unreadable = (file: string, reason: string) => new CommandFault(`cannot use ${file}: ${reason}`);

function parseLine(text: string): Line | undefined {
  if (text.length > lineCharactersMax) return undefined;
  let record: Readonly<Record<string, unknown>>;
  try {
    record = JSON.parse(text) as typeof record;
  } catch {
    return undefined;
  }
  if (typeof record !== 'object' || record === null) return undefined;
  const { accountId, id, requestId, action, target, detail } = record;
  const texts = [accountId, id, requestId, action, target];
  if (!texts.every((each) => typeof each === 'string') || typeof detail !== 'object' || detail === null) return undefined;
  const position = Number(id);
  if (!Number.isSafeInteger(position)) return undefined;
  return {
    accountId: accountId as string,
    position,
    requestId: requestId as string,
    action: action as string,
    path: (target as string).split('/'),
    detail: detail as Line['detail'],
  };
}

/** How much was repeated. */
export interface Repeated {
  readonly revoked: number;
  readonly removed: number;
  readonly blocked: number;
  readonly erased: number;
  /** Records of accounts that the store does not have, and refused ones, such as the removal of the last owner. */
  readonly skipped: number;
}

export interface RepeatOptions {
  readonly store: Store;
  readonly secretKeys: SecretKeys;
  readonly by: () => ChangedBy;
  readonly now: () => number;
}

/** Repeats records newer than the newest that the store still has. Safe to call again. */
export async function repeatAudit(file: AuditFile, options: RepeatOptions): Promise<Repeated> {
  const sums = { revoked: 0, removed: 0, blocked: 0, erased: 0, skipped: 0 };
  for (const [accountId, { lines, all }] of file) {
    const { store } = options;
    if ((await store.findAccount(accountId)) === undefined) {
      sums.skipped += lines.length;
      continue;
    }
    const newest = await newestKnown(store, accountId, all);
    const later = lines.filter(({ position }) => position > newest);
    for (const line of later) sums[await repeatOne(line, options)] += 1;
    sums.erased += await repeatErasures(later, options);
    sums.blocked += await repeatBlocks(later, options);
  }
  return sums;
}

/** The newest position at which the store has the same record as the file; 0 if there is none. */
async function newestKnown(store: Store, accountId: string, all: ReadonlyMap<number, string>): Promise<number> {
  let before: number | null = null;
  for (;;) {
    const page = await store.listAuditRecords(accountId, { action: null, actorId: null }, { before, itemsMax: 100 });
    const known = page.records.find(({ position, requestId }) => all.get(position) === requestId);
    if (known !== undefined) return known.position;
    before = page.records.at(-1)?.position ?? null;
    if (!page.hasMore || before === null) return 0;
  }
}

const granter = { role: 'owner', environments: null } as const;

/** Repeats records that concern no player. */
async function repeatOne(
  { accountId, action, path }: Line,
  { store, by }: RepeatOptions,
): Promise<'revoked' | 'removed' | 'skipped'> {
  const [, one = '', , other = ''] = path;
  switch (action) {
    case 'api_key.revoke':
      return (await store.deleteApiKey(by(), { accountId, slug: one }, other)) === 'deleted' ? 'revoked' : 'skipped';
    case 'service_account_secret.delete':
      return (await store.deleteServiceAccountSecret(by(), accountId, one, other)) === 'deleted' ? 'revoked' : 'skipped';
    case 'service_account.delete':
      return (await store.deleteServiceAccount(by(), accountId, one)) === 'deleted' ? 'removed' : 'skipped';
    case 'member.remove':
      return (await store.removeMember(by(), accountId, one, granter)).kind === 'removed' ? 'removed' : 'skipped';
    case 'project.delete':
      return (await store.deleteProject(by(), { accountId, slug: one })) === 'deleted' ? 'removed' : 'skipped';
    case 'user.delete':
      return (await store.deleteUser(by(), accountId, one)) === 'deleted' ? 'removed' : 'skipped';
    case 'identity_provider.delete':
      return (await store.deleteIdentityProvider(by(), { accountId, providerId: one })) === 'deleted'
        ? 'removed'
        : 'skipped';
    default:
      return 'skipped';
  }
}

const slugOf = ({ path }: Line): string => path[1] ?? '';

/** Erases the players whose id hashes are in the records, which identify players in no other way. */
async function repeatErasures(lines: readonly Line[], options: RepeatOptions): Promise<number> {
  const { store, secretKeys, by, now } = options;
  const hashesOf = createErasureHash(secretKeys);
  let erased = 0;
  for (const [slug, records] of Map.groupBy(
    lines.filter(({ action }) => action === 'player.delete'),
    slugOf,
  )) {
    const key = { accountId: records[0]?.accountId ?? '', slug };
    const wanted = new Set(
      records.flatMap(({ detail }) => (typeof detail.idHash?.to === 'string' ? [detail.idHash.to] : [])),
    );
    if (wanted.size === 0) continue;
    const found = new Map<string, string>();
    for await (const playerId of playersOf(store, key, now())) {
      const [idHash, ...earlier] = hashesOf(key.accountId, playerId);
      if ([idHash, ...earlier].some((hash) => wanted.has(hash))) found.set(playerId, idHash);
    }
    for (const [playerId, idHash] of found) {
      if ((await eraseFrom(store, by(), { ...key, environment: null, idHash }, playerId)) === 'deleted') erased += 1;
    }
  }
  return erased;
}

async function* playersOf(store: Store, key: ProjectKey, now: number): AsyncGenerator<string> {
  let after: KeyPosition | null = null;
  do {
    const page = await store.listPlayers(key, { prefix: '', kinds: ['state', 'id'], after, itemsMax: 50 }, now);
    for (const { playerId } of page.players) yield playerId;
    after = page.next;
  } while (after !== null);
}

/** Blocks players whose last record is a block, until the original end of the block. */
async function repeatBlocks(lines: readonly Line[], { store, by, now }: RepeatOptions): Promise<number> {
  const last = new Map<string, Line>();
  for (const line of lines) {
    if (line.action === 'player.block' || line.action === 'player.unblock') last.set(line.path.join('/'), line);
  }
  let blocked = 0;
  for (const line of last.values()) {
    const key = { accountId: line.accountId, slug: slugOf(line) };
    const playerId = decodeURIComponent(line.path[3] ?? '');
    if (line.action === 'player.unblock') {
      await store.unblockPlayer(by(), key, playerId);
      continue;
    }
    const until = typeof line.detail.until?.to === 'string' ? Date.parse(line.detail.until.to) : null;
    if (until !== null && until <= now()) continue;
    const reason = typeof line.detail.reason?.to === 'string' ? line.detail.reason.to : null;
    const outcome = await store.blockPlayer(by(), key, playerId, { reason, until, isRepeated: true });
    if (typeof outcome !== 'string') blocked += 1;
  }
  return blocked;
}
