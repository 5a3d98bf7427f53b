/** Exports of a store with every kind of record, and versions changed by somebody with the passphrase. */
import { createHash } from 'node:crypto';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { withSqliteSnapshot } from '../../storage/sqlite/transfer/snapshot.ts';
import { createExportSeal, saltOf } from '../export/seal.ts';
import { writeExport } from '../export/write.ts';
import { fillStore } from '../migrate-store/migrate-store.fixture.ts';
import { createProgress } from '../progress.ts';

/** A line of an export, or its replacement. */
export type Line = { [name: string]: unknown; kind?: string; record?: { [field: string]: unknown } };

export const passphrase = 'correct horse battery staple';
/** The lowest cost that a file may demand, since tests make many. */
const cost = { name: 'scrypt', N: 2 ** 14, r: 1, p: 1 } as const;

const waitingMail = {
  mailHash: new Uint8Array(32),
  accountId: null,
  emailKey: 'ada@example.com',
  sealedMail: new Uint8Array(64),
  expiresAt: Date.now() + 900_000,
};

/** Fills a store of the embedded engine in a folder, and returns the lines of its export and of the exports of two accounts. */
export async function exportsOf(dataDir: string): Promise<Readonly<Record<'all' | 'alpha' | 'beta', readonly string[]>>> {
  const store = await openSqliteStore({ dataDir });
  await fillStore(store);
  await store.addMail(waitingMail, Date.now(), { waitingMax: 9, waitingInDirectoryMax: 9 });
  await store.close();
  const linesOf = async (account: string | null) => {
    const lines: string[] = [];
    await withSqliteSnapshot(dataDir, (reader) =>
      writeExport(reader, {
        account,
        secretKeys: [Buffer.alloc(32, 1)],
        seal: createExportSeal(passphrase, saltOf(account ?? 'all'), cost),
        progress: createProgress(),
        write: (line) => void lines.push(line),
      }),
    );
    return lines;
  };
  return { all: await linesOf(null), alpha: await linesOf('acc_alpha'), beta: await linesOf('acc_beta') };
}

/** Returns the lines with a valid end, as somebody with the passphrase can make it. */
export function ended(lines: readonly string[], word = passphrase): string[] {
  const { salt } = JSON.parse(lines[0] ?? '{}');
  const text = lines.map((line) => `${line}\n`).join('');
  const end = {
    kind: 'end',
    records: lines.length - 1,
    sha256: createHash('sha256').update(text).digest('hex'),
    mac: createExportSeal(word, salt, cost).mac().update(text).digest('hex'),
  };
  return [...lines, JSON.stringify(end)];
}

/** Returns an export with the first line that `isMeant` selects changed, and a valid end. Throws if there is no such line. */
export function changed(
  lines: readonly string[],
  isMeant: (line: Line) => boolean,
  change: (line: Line) => void,
): string[] {
  let isDone = false;
  const all = lines.slice(0, -1).map((text) => {
    const line: Line = JSON.parse(text);
    if (isDone || !isMeant(line)) return text;
    isDone = true;
    change(line);
    return JSON.stringify(line);
  });
  if (!isDone) throw new Error('no line is meant');
  return ended(all);
}

/** The first line of a kind. */
export const first =
  (kind: string) =>
  (line: Line): boolean =>
    line.kind === kind;
/** Changes fields. */
export const set =
  (values: object) =>
  (line: Line): void =>
    void Object.assign(line.record ?? line, values);
