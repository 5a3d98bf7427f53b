/**
 * What is held over writes: schemas, with what they have reported, and the check of flags. That of a project is remembered until an access
 * change of it, so that a project without anything costs a look into a map.
 */
import { environments, type ShapeKind } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { mapAwaitable } from '../common/awaitable.ts';
import { Refusal } from '../common/refusal.ts';
import type { Violation } from '../shapes/run.ts';
import { AccessCache } from '../storage/scoped-cache.ts';
import type { ProjectShapes, ShapeKey } from '../storage/shape-store.ts';
import type { Awaitable, ProjectKey, PublicStateKey, Store } from '../storage/store.ts';
import { FittingVersions } from './fitting-versions.ts';
import { type CheckFlags, type FlagFinding, flagViolations } from './flag-check.ts';
import type { HeldOver } from './held-shape.ts';
import type { ToldViolation } from './judge-request.ts';

/** What is held over a write of a document. */
export interface Held {
  /** Undefined: there is none, or it is off. */
  readonly shape: HeldOver | undefined;
  /** Whether the flags of the document have to be usable. */
  readonly checksFlags: boolean;
}

/** What is held over one kind of state. */
export interface HeldShapes<Key extends PublicStateKey> {
  /** What is held over a write of a document; undefined when that is nothing. */
  find(key: Key, byPlayer: boolean): Awaitable<Held | undefined>;
  /** Whether a version of a document is known to fit. */
  isKnownToFit(key: Key, version: number, shape: HeldOver): boolean;
  /** Takes note of a version that was written, and counts what it did not fit. */
  written(key: Key, version: number, shape: HeldOver, misfits?: readonly Violation[]): void;
  readonly checkFlags: CheckFlags;
}

export const noShapes: HeldShapes<PublicStateKey> = {
  find: () => undefined,
  isKnownToFit: () => false,
  written: () => undefined,
  checkFlags: async () => [],
};

/** What writes did not fit, and how often. */
export interface ReportItem {
  readonly schemaLocation: string;
  readonly keyword: string;
  readonly path: string;
  readonly count: number;
}

/** Characters of a schema, and instructions of its regular expressions, that documents may be judged by on the main thread. */
const smallCharactersMax = 16_384;
const smallInstructionsMax = 500;

/** Room for the schemas that are remembered, in bytes, and for a project that has none. */
const bytesMax = 32 * 1024 * 1024;
/** Reports that are kept, the places in one, and those in all together: some 2 KB each at worst. */
const reportsMax = 2_000;
const reportItemsMax = 200;
const reportItemsOfAllMax = 40_000;

/** What is held over the documents of a project, by environment and kind. */
type OfProject = ReadonlyMap<string, HeldPair>;
interface HeldPair {
  readonly ofPlayers: Held;
  readonly ofOthers: Held;
}
const none: OfProject = new Map();

/** What is held over writes in all projects, as the store has it. */
export class ShapeRegister {
  readonly #store: Pick<Store, 'readShapes'>;
  readonly #checkFlags: CheckFlags;
  readonly #projects: AccessCache<OfProject>;
  readonly #names = new WeakMap<ProjectKey, string>();
  readonly #fitting = new FittingVersions();
  readonly #reports = new LRUCache<string, Map<string, ReportItem>>({ max: reportsMax, maxSize: reportItemsOfAllMax });

  constructor(store: Pick<Store, 'onAccessChange' | 'readShapes'>, checkFlags: CheckFlags) {
    this.#store = store;
    this.#checkFlags = checkFlags;
    this.#projects = new AccessCache(store, { bytesMax, scopeOf: (name) => name.split('/') });
  }

  /** What is held over one kind of state. */
  of<Key extends PublicStateKey>(kind: ShapeKind): HeldShapes<Key> {
    return {
      find: (key, byPlayer) => {
        const known = this.#projects.get(this.#nameOf(key)) ?? this.#read(key);
        return known === none ? undefined : mapAwaitable(known, (held) => heldOver(held, key, kind, byPlayer));
      },
      isKnownToFit: (key, version, shape) => this.#fitting.isKnown(key, version, shape),
      written: (key, version, shape, misfits) => {
        if (misfits === undefined) this.#fitting.note(key, version, shape);
        else this.#report(shape, misfits);
      },
      checkFlags: this.#checkFlags,
    };
  }

  /** What the version of a schema has reported here, the most frequent first. */
  reported(key: ShapeKey, version: number): readonly ReportItem[] {
    const items = this.#reports.get(nameOf(key, version))?.values() ?? [];
    return [...items].sort((a, b) => b.count - a.count);
  }

  #read(key: ProjectKey): Awaitable<OfProject> {
    const found = this.#projects.fill(this.#nameOf(key), () =>
      mapAwaitable(this.#store.readShapes(key), (found) => found && ofProject(key, found)),
    );
    // A project that is gone is refused by whoever reads or writes in it.
    return mapAwaitable(found, (held) => held ?? none);
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
    const items = this.#reports.get(name) ?? new Map<string, ReportItem>();
    countViolations(items, violations, reportItemsMax);
    this.#reports.set(name, items, { size: Math.max(items.size, 1) });
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

function ofProject(project: ProjectKey, { flagsCheck, shapes }: ProjectShapes): OfProject {
  const held = new Map<string, HeldPair>();
  if (flagsCheck === 'enforce') for (const environment of environments) held.set(`${environment}/public-state`, onlyFlags);
  for (const { environment, kind, version, mode, schemaText, instructions } of shapes) {
    if (mode === 'off') continue;
    const name = nameOf({ ...project, environment, kind }, version);
    const isSmall = schemaText.length <= smallCharactersMax && instructions <= smallInstructionsMax;
    const common = { name, schemaText, mode, isSmall };
    const checksFlags = kind === 'public-state' && flagsCheck === 'enforce';
    held.set(`${environment}/${kind}`, {
      ofPlayers: { shape: { ...common, byPlayer: true }, checksFlags },
      ofOthers: { shape: { ...common, byPlayer: false }, checksFlags },
    });
  }
  return held.size === 0 ? none : held;
}

const flagsAlone: Held = { shape: undefined, checksFlags: true };
const onlyFlags: HeldPair = { ofPlayers: flagsAlone, ofOthers: flagsAlone };

function heldOver(held: OfProject, { environment }: PublicStateKey, kind: ShapeKind, byPlayer: boolean): Held | undefined {
  const pair = held.get(`${environment}/${kind}`);
  return byPlayer ? pair?.ofPlayers : pair?.ofOthers;
}

/** The refusal of a write whose result does not fit the schema. */
export const misfit = (violations: readonly ToldViolation[]): Refusal =>
  refusal('the state does not fit the schema', violations);

/** The refusal of a write whose result has flags that cannot be used. */
export const unusableFlags = (findings: readonly FlagFinding[]): Refusal =>
  refusal('the state has flags that cannot be used', flagViolations(findings));

function refusal(fault: string, violations: readonly ToldViolation[]): Refusal {
  const [first, ...others] = violations;
  const where = first === undefined || first.path === '' ? 'the document' : first.path;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Refusal('validation_error', `${fault}: ${where} ${first?.message ?? ''}${more}`, {
    details: { violations: violations.map(toldViolation) },
  });
}

/** A violation as clients see it. */
export const toldViolation = ({ path, keyword, message }: ToldViolation): ToldViolation => ({ path, keyword, message });
