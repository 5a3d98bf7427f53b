/** How the processor time of a PATCH of a large document is divided among the service's steps. */

import { nestingDepthMax } from '@holdfast/contract';
import { applyOperations, type JsonObject, parseJson, printJson, readOperations } from '@holdfast/json';
import { createEvaluator } from '../packages/server/src/state/evaluation/evaluator.ts';
import { createPublicStates } from '../packages/server/src/state/public-state.ts';
import { openSqliteStore } from '../packages/server/src/storage/sqlite/store.ts';
import type { Store } from '../packages/server/src/storage/store.ts';
import { largeDocument, patchBody } from '../tooling/load/documents.ts';
import { accountId, environment, seedProjects, slugOf } from '../tooling/load/seed.ts';
import { withoutStoring } from './floors/null-store.ts';

/** Processor time of each step, in microseconds. */
export interface PatchShares {
  /** From the stored text and the body to the new text, like the service. */
  readonly toNewText: number;
  /** The durable write, including the writer thread and its messages. */
  readonly store: number;
  /** The first step if the whole document is parsed and printed. */
  readonly whole: { readonly parse: number; readonly patch: number; readonly print: number };
}

interface Settings {
  readonly dataDir: string;
  readonly repetitions: number;
}

/** As many writes are in progress as the load has connections. */
const togetherMax = 8;

/** Processor time of one call of `step`, including all threads, after as many calls for warming up. */
async function measure(repetitions: number, step: (index: number) => unknown): Promise<number> {
  for (let i = 0; i < repetitions; i++) await step(i);
  const before = process.cpuUsage();
  for (let i = 0; i < repetitions; i++) await step(repetitions + i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / repetitions;
}

/** Writes the document once to each of several projects; each call adds a version to all of them. */
function writeTogether(store: Store): (round: number) => Promise<unknown> {
  const next = {
    stateText: largeDocument,
    stateBytes: Buffer.byteLength(largeDocument),
    comment: null,
    writtenAt: Date.now(),
    author: null,
  };
  const writeTo = async (project: number, version: number) => {
    const key = { accountId, slug: slugOf(project), environment } as const;
    const written = await store.writePublicState(key, { kind: 'version', version }, next);
    if (written.kind !== 'written') throw new Error(`a write of version ${version} came to ${written.kind}`);
  };
  return (round) => Promise.all(Array.from({ length: togetherMax }, (_, project) => writeTo(project, round + 1)));
}

/** Patches one document repeatedly, without storing it. */
async function patchWithoutStoring(store: Store, body: Uint8Array): Promise<(index: number) => Promise<unknown>> {
  const storeless = withoutStoring(store);
  const key = { accountId, slug: slugOf(0), environment } as const;
  const first = {
    stateText: largeDocument,
    stateBytes: Buffer.byteLength(largeDocument),
    comment: null,
    writtenAt: Date.now(),
    author: null,
  };
  await storeless.writePublicState(key, { kind: 'absent' }, first);
  const evaluator = createEvaluator({ inTurn: (_, work) => work(), bodyBytesMax: body.length });
  const states = createPublicStates({ store: storeless, evaluator, now: Date.now });
  return (index) => {
    const precondition = { kind: 'version', version: String(index + 1) } as const;
    return states.patch(key, { precondition, body, author: null, repeat: undefined });
  };
}

const { dataDir, repetitions } = JSON.parse(process.argv[2] as string) as Settings;
const body = parseJson(patchBody()) as JsonObject;
const operations = readOperations(body.ops);
if ('kind' in operations) throw new Error(`the operations are refused: ${operations.message}`);
const document = parseJson(largeDocument, nestingDepthMax) as JsonObject;
const patched = applyOperations(document, operations);
if (patched.kind === 'failure') throw new Error(`the patch is refused: ${patched.message}`);

const store = await openSqliteStore({ dataDir });
await seedProjects(store, { projects: togetherMax, document: largeDocument, togetherMax });
const shares: PatchShares = {
  toNewText: await measure(repetitions, await patchWithoutStoring(store, Buffer.from(patchBody()))),
  store: (await measure(Math.ceil(repetitions / togetherMax), writeTogether(store))) / togetherMax,
  whole: {
    parse: await measure(repetitions, () => parseJson(largeDocument, nestingDepthMax)),
    patch: await measure(repetitions, () => applyOperations(document, operations)),
    print: await measure(repetitions, () => printJson(patched.document)),
  },
};
await store.close();
process.send?.(shares, () => process.exit());
