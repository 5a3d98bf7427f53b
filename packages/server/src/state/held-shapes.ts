/**
 * The schemas that are held over writes, and what they have reported. The schemas of a project are remembered until an access change of it,
 * so that a project without any costs a look into a map.
 */
import type { ShapeKind } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { mapAwaitable } from '../common/awaitable.ts';
import { Refusal } from '../common/refusal.ts';
import type { Violation } from '../shapes/run.ts';
import { AccessCache } from '../storage/scoped-cache.ts';
import type { HeldShape, ShapeKey } from '../storage/shape-store.ts';
import type { Awaitable, ProjectKey, PublicStateKey, Store } from '../storage/store.ts';
import type { HeldOver } from './held-shape.ts';

/** The schemas of one kind of state. */
export interface HeldShapes<Key extends PublicStateKey> {
  /** The schema that is held over a write of a document; undefined when there is none, or it is off. */
  find(key: Key, byPlayer: boolean): Awaitable<HeldOver | undefined>;
  /** Counts what a write did not fit. */
  report(shape: HeldOver, violations: readonly Violation[]): void;
}

export const noShapes: HeldShapes<PublicStateKey> = { find: () => undefined, report: () => undefined };

/** What writes did not fit, and how often. */
export interface ReportItem {
  readonly schemaLocation: string;
  readonly keyword: string;
  readonly path: string;
  readonly count: number;
}

/** Characters of a schema, and instructions of its regular expressions, that are compiled on the main thread within a few milliseconds. */
const smallCharactersMax = 16_384;
const smallInstructionsMax = 500;

/** Room for the schemas that are remembered, in bytes, and for a project that has none. */
const bytesMax = 32 * 1024 * 1024;
/** Reports that are kept, each with so many places at most. */
const reportsMax = 2_000;
const reportItemsMax = 200;

/** The schemas of a project, by environment and kind. */
type OfProject = ReadonlyMap<string, HeldPair>;
interface HeldPair {
  readonly ofPlayers: HeldOver;
  readonly ofOthers: HeldOver;
}
const none: OfProject = new Map();

/** Schemas of all projects, as the store has them. */
export class ShapeRegister {
  readonly #store: Pick<Store, 'readShapes'>;
  readonly #projects: AccessCache<OfProject>;
  readonly #names = new WeakMap<ProjectKey, string>();
  readonly #reports = new LRUCache<string, Map<string, ReportItem>>({ max: reportsMax });

  constructor(store: Pick<Store, 'onAccessChange' | 'readShapes'>) {
    this.#store = store;
    this.#projects = new AccessCache(store, { bytesMax, scopeOf: (name) => name.split('/') });
  }

  /** Those of one kind of state. */
  of<Key extends PublicStateKey>(kind: ShapeKind): HeldShapes<Key> {
    return {
      find: (key, byPlayer) => {
        const known = this.#projects.get(this.#nameOf(key)) ?? this.#read(key);
        return known === none ? undefined : mapAwaitable(known, (shapes) => heldOver(shapes, key, kind, byPlayer));
      },
      report: (shape, violations) => this.#report(shape, violations),
    };
  }

  /** What the version of a schema has reported here, the most frequent first. */
  reported(key: ShapeKey, version: number): readonly ReportItem[] {
    const items = this.#reports.get(nameOf(key, version))?.values() ?? [];
    return [...items].sort((a, b) => b.count - a.count);
  }

  #read(key: ProjectKey): Awaitable<OfProject> {
    const found = this.#projects.fill(this.#nameOf(key), () =>
      mapAwaitable(this.#store.readShapes(key), (shapes) => shapes && ofProject(key, shapes)),
    );
    // A project that is gone is refused by whoever reads or writes in it.
    return mapAwaitable(found, (shapes) => shapes ?? none);
  }

  #nameOf(key: ProjectKey): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `${key.accountId}/${key.slug}`;
      this.#names.set(key, name);
    }
    return name;
  }

  #report({ name }: HeldOver, violations: readonly Violation[]): void {
    let items = this.#reports.get(name);
    if (items === undefined) {
      items = new Map();
      this.#reports.set(name, items);
    }
    countViolations(items, violations, reportItemsMax);
  }
}

/** Counts violations by place in the schema, keyword and path, as long as there is room for another place. */
export function countViolations(items: Map<string, ReportItem>, violations: readonly Violation[], itemsMax: number): void {
  const places = new Map(
    violations.map((violation) => [`${violation.schemaLocation}\n${violation.generalPath}`, violation]),
  );
  for (const [place, { schemaLocation, keyword, generalPath: path }] of places) {
    const known = items.get(place);
    if (known !== undefined) items.set(place, { ...known, count: known.count + 1 });
    else if (items.size < itemsMax) items.set(place, { schemaLocation, keyword, path, count: 1 });
  }
}

const nameOf = ({ accountId, slug, environment, kind }: ShapeKey, version: number): string =>
  `${accountId}/${slug}/${environment}/${kind} ${version}`;

function ofProject(project: ProjectKey, shapes: readonly HeldShape[]): OfProject {
  const held = new Map<string, HeldPair>();
  for (const { environment, kind, version, mode, schemaText, instructions } of shapes) {
    if (mode === 'off') continue;
    const name = nameOf({ ...project, environment, kind }, version);
    const isSmall = schemaText.length <= smallCharactersMax && instructions <= smallInstructionsMax;
    const common = { name, schemaText, mode, isSmall };
    held.set(`${environment}/${kind}`, {
      ofPlayers: { ...common, byPlayer: true },
      ofOthers: { ...common, byPlayer: false },
    });
  }
  return held.size === 0 ? none : held;
}

function heldOver(
  shapes: OfProject,
  { environment }: PublicStateKey,
  kind: ShapeKind,
  byPlayer: boolean,
): HeldOver | undefined {
  const held = shapes.get(`${environment}/${kind}`);
  return byPlayer ? held?.ofPlayers : held?.ofOthers;
}

/** The refusal of a write whose result does not fit. */
export function misfit(violations: readonly Violation[]): Refusal {
  const [first, ...others] = violations;
  const where = first === undefined || first.path === '' ? 'the document' : first.path;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Refusal('validation_error', `the state does not fit the schema: ${where} ${first?.message ?? ''}${more}`, {
    details: { violations: violations.map(toldViolation) },
  });
}

/** A violation as clients see it. */
export const toldViolation = ({ path, keyword, message }: Violation) => ({ path, keyword, message });
