/** Exports of a store with something of every kind, and lines of them that somebody who knows the passphrase has changed. */
import { createHash } from 'node:crypto';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import { withSqliteSnapshot } from '../storage/sqlite/transfer/snapshot.ts';
import { createExportSeal, saltOf } from './export-seal.ts';
import { writeExport } from './export-write.ts';
import { fillStore } from './migrate-store.fixture.ts';
import { createProgress } from './progress.ts';

/** A line of an export, or what is planted in its place. */
export type Line = { [name: string]: unknown; kind?: string; record?: { [field: string]: unknown } };

export const passphrase = 'correct horse battery staple';
/** The least that a file may ask for: tests make many. */
export const cost = { name: 'scrypt', N: 2 ** 14, r: 1, p: 1 } as const;

const waitingMail = {
  mailHash: new Uint8Array(32),
  accountId: null,
  emailKey: 'ada@example.com',
  sealedMail: new Uint8Array(64),
  expiresAt: Date.now() + 900_000,
};

/** Fills an embedded store in a folder, and returns the lines of its export and of those of two of its accounts. */
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

/** The lines with an end that fits them, as somebody who knows the passphrase makes it. */
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

/** An export in which the first line that `isMeant` wants is changed, with an end that fits. Throws when there is no such line. */
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
