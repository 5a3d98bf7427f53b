/**
 * The floor over PostgreSQL: the driver alone. Loops without HTTP, each of which sends one of the service's statements with realistic
 * values, waits for the response and sends the next one. It uses as many connections as the service, prepared statements, and the driver's
 * pipelining.
 */
import { Socket } from 'node:net';
import postgres from 'postgres';
import { encodeVersion, KeptVersion } from '../../packages/server/src/storage/history/versions.ts';
import { valuesOf } from '../../packages/server/src/storage/postgres/connection/parameters.ts';
import { readStatement } from '../../packages/server/src/storage/postgres/state/public/public-state-reads.ts';
import { wholeWrites } from '../../packages/server/src/storage/postgres/state/public/public-state-statements.ts';
import { writeValues } from '../../packages/server/src/storage/postgres/state/public/single-public-write.ts';
import { environmentNumbers } from '../../packages/server/src/storage/rows/environment-numbers.ts';
import { revisionMark, smallDocument } from '../../tooling/load/documents.ts';
import { accountId, environment, slugOf } from '../../tooling/load/seed.ts';
import { answerRun, plainReport } from '../measured-process.ts';

export interface DriverFloorSettings {
  readonly url: string;
  readonly connections: number;
}

/** The run's request; the response is a `LoadReport`. */
export interface DriverLoad {
  readonly kind: 'read' | 'write';
  readonly loops: number;
  /** The loops take turns at this many documents, at most as many as there are loops. */
  readonly documents: number;
  readonly seconds: number;
}

/** A client's knowledge of a document. */
interface Known {
  readonly slug: string;
  readonly projectId: string;
  version: number;
  /** The current version, as of the last write. */
  record?: KeptVersion | undefined;
}

const { url, connections } = JSON.parse(process.argv[2] as string) as DriverFloorSettings;
const sql = postgres(url, {
  max: connections,
  fetch_types: false,
  // Without delay, as in the service.
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
/** The free space that the service demands of a write below the account's limit; unlimited here. */
const [bytesMax, marginBytes] = [0, 256 * 1024 * 1024];

const readRow = (slug: string, known?: Known): Promise<postgres.Row> =>
  run(readStatement, [accountId, slug, environmentNumber, known?.projectId ?? null, known?.version ?? null]);

async function read(known: Known): Promise<void> {
  await readRow(known.slug, known);
}

async function write(known: Known): Promise<void> {
  const key = { accountId, slug: known.slug, environment } as const;
  const stateText = smallDocument.replace(String(revisionMark), String(revisionMark + known.version));
  const next = { stateText, stateBytes, comment: null, writtenAt: Date.now(), author: null };
  const stored = encodeVersion(next, known.record, 0);
  const named = writeValues({ key, expectedVersion: known.version, next, floor: 0, stored }, bytesMax, { marginBytes });
  const values = valuesOf(wholeWrites.plain, named);
  const { written, version } = await run(wholeWrites.plain.text, values as Values);
  // If a load was cut off, its last write may arrive meanwhile.
  known.version = written ?? version;
  known.record = written === null ? undefined : new KeptVersion(written, next, stored);
}

async function carryOut({ kind, loops, documents, seconds }: DriverLoad): Promise<object> {
  const all = Array.from({ length: documents }, async (_, index): Promise<Known> => {
    const slug = slugOf(index);
    const { project_id: projectId, current_version: version } = await readRow(slug);
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
