/** What is said beside each verb, as tables of all verbs of the store. */
import { type EngineVerbs, engineVerbs } from '../contract/engine-verbs.ts';
import type { OwnerOf } from '../contract/read-owner.ts';
import { type SharedVerbName, sharedVerbs } from '../sql/verbs.ts';

type VerbName = SharedVerbName | keyof EngineVerbs;

const ofEngine = Object.entries(engineVerbs) as (readonly [keyof EngineVerbs, (typeof engineVerbs)[keyof EngineVerbs]])[];

/** The reads that wait for their turn, and what names their owners. */
export const largeReads: readonly (readonly [VerbName, OwnerOf<never>])[] = [
  ...sharedVerbs.flatMap(([name, verb]) =>
    verb.kind === 'read' && verb.ownerOf !== undefined ? [[name, verb.ownerOf] as const] : [],
  ),
  ...ofEngine.flatMap(([name, kind]) => (typeof kind === 'object' ? [[name, kind.ownerOf] as const] : [])),
];

/** The verbs that write for a request, and those after which it has not begun to. */
export const requestWrites: {
  readonly writes: readonly VerbName[];
  readonly preparations: readonly VerbName[];
} = {
  writes: [
    ...ofEngine.flatMap(([name, kind]) => (kind === 'write' ? [name] : [])),
    ...sharedVerbs.flatMap(([name, verb]) => (verb.kind === 'write' && verb.preparesWrite !== true ? [name] : [])),
  ],
  preparations: sharedVerbs.flatMap(([name, verb]) => (verb.kind === 'write' && verb.preparesWrite === true ? [name] : [])),
};
