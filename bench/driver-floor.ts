/**
 * The floor over PostgreSQL: what the driver does by itself. Loops without HTTP, each of which sends a statement of the service
 * with the values that the service would send, waits for its answer and sends the next one. As many connections as the service
 * has, prepared statements, and the driver's own pipelining.
 */
import { Socket } from 'node:net';
import postgres from 'postgres';
import { encodeVersion, KeptVersion } from '../packages/server/src/storage/history/versions.ts';
import { readStatement } from '../packages/server/src/storage/postgres/state/public-state-reads.ts';
import { writeStatement, writeValues } from '../packages/server/src/storage/postgres/state/public-state-writes.ts';
import { environmentNumbers } from '../packages/server/src/storage/rows.ts';
import { revisionMark, smallDocument } from './documents.ts';
import { answerRun, plainReport } from './measured-process.ts';
import { accountId, environment, slugOf } from './seed.ts';

export interface DriverFloorSettings {
  readonly url: string;
  readonly connections: number;
}

/** What the run asks for; the answer is a `LoadReport`. */
export interface DriverLoad {
  readonly kind: 'read' | 'write';
  readonly loops: number;
  /** The loops take turns at so many; not more than there are loops. */
  readonly documents: number;
  readonly seconds: number;
}

/** What a client remembers of a document. */
interface Known {
  readonly slug: string;
  readonly projectId: string;
  version: number;
  /** The current version, where the last write has made it. */
  record?: KeptVersion | undefined;
}

const { url, connections } = JSON.parse(process.argv[2] as string) as DriverFloorSettings;
const sql = postgres(url, {
  max: connections,
  fetch_types: false,
  // Without delay, as the service has it.
  socket: ({ host, port }: { host: string[]; port: number[] }) =>
    new Socket().setNoDelay(true).connect(port[0] as number, host[0] as string),
  types: { wholeNumber: { to: 20, from: [20], serialize: String, parse: Number } },
} as unknown as postgres.Options<Record<string, never>>);

type Values = (string | number | null)[];

const run = async (statement: string, values: Values): Promise<postgres.Row> => {
  const [row] = await sql.unsafe(statement, values as postgres.ParameterOrJSON<never>[], { prepare: true });
  if (row === undefined) throw new Error(`there is no ${values[1]}`);
  return row;
};

const environmentNumber = environmentNumbers[environment];
const stateBytes = Buffer.byteLength(smallDocument);
/** What the service asks a write to keep free below the limit of the account, which here is none. */
const [bytesMax, headroomBytes] = [0, 256 * 1024 * 1024];

const look = (slug: string, known?: Known): Promise<postgres.Row> =>
  run(readStatement, [accountId, slug, environmentNumber, known?.projectId ?? null, known?.version ?? null]);

async function read(known: Known): Promise<void> {
  await look(known.slug, known);
}

async function write(known: Known): Promise<void> {
  const key = { accountId, slug: known.slug, environment } as const;
  const stateText = smallDocument.replace(String(revisionMark), String(revisionMark + known.version));
  const next = { stateText, stateBytes, comment: null, writtenAt: Date.now(), author: null };
  const stored = encodeVersion(next, known.record, 0);
  const values = writeValues({ key, expectedVersion: known.version, next, floor: 0, stored }, bytesMax, headroomBytes);
  const { written, version } = await run(writeStatement, values as Values);
  // Where a load of the service was cut off, its last write may come in between.
  known.version = written ?? version;
  known.record = written === null ? undefined : new KeptVersion(written, next, stored);
}

async function carryOut({ kind, loops, documents, seconds }: DriverLoad): Promise<object> {
  const all = Array.from({ length: documents }, async (_, index): Promise<Known> => {
    const slug = slugOf(index);
    const { project_id: projectId, current_version: version } = await look(slug);
    return { slug, projectId, version };
  });
  const known = await Promise.all(all);
  const operate = kind === 'read' ? read : write;
  const begun = performance.now();
  const endsAt = begun + seconds * 1000;
  let operations = 0;
  const loop = async (document: Known): Promise<void> => {
    for (; performance.now() < endsAt; operations++) await operate(document);
  };
  await Promise.all(Array.from({ length: loops }, (_, index) => loop(known[index % documents] as Known)));
  return plainReport(operations, (performance.now() - begun) * 1000);
}

process.on('message', async (message: DriverLoad | string) => {
  if (typeof message !== 'string') process.send?.(await carryOut(message));
});
answerRun({}, () => sql.end());
