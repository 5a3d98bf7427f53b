/**
 * The checks of writes: schemas with their reports, and the flag check. Cached per project until an access change of the project, so a
 * project without checks costs one map look-up.
 */
import { environments, type SchemaKind } from '@holdfast/contract';
import { LRUCache } from 'lru-cache';
import { mapAwaitable } from '../common/awaitable.ts';
import { Refusal } from '../common/refusal.ts';
import type { Violation } from '../schemas/run.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ProjectSchemas, SchemaKey } from '../storage/contract/schemas.ts';
import type { Awaitable, ProjectKey, PublicStateKey, Store } from '../storage/store.ts';
import type { ActiveSchema } from './active-schema.ts';
import { type CheckFlags, type FlagFinding, flagViolations } from './flag-check.ts';
import { ValidVersions } from './valid-versions.ts';
import type { PublicViolation } from './validation-request.ts';

/** The checks that apply to a document's write. */
export interface ActiveChecks {
  /** Undefined if there is no schema, or it is off. */
  readonly schema: ActiveSchema | undefined;
  /** Whether the document's flags must be usable. */
  readonly checksFlags: boolean;
}

/** The checks of one kind of state. */
export interface ActiveSchemas<Key extends PublicStateKey> {
  /** The checks that apply to a document's write; undefined if there are none. */
  find(key: Key, byPlayer: boolean): Awaitable<ActiveChecks | undefined>;
  /** Whether a version of a document is known to fit. */
  isKnownToFit(key: Key, version: number, schema: ActiveSchema): boolean;
  /** Records a written version, and counts its violations. */
  written(key: Key, version: number, schema: ActiveSchema, violations?: readonly Violation[]): void;
  readonly checkFlags: CheckFlags;
}

export const noActiveSchemas: ActiveSchemas<PublicStateKey> = {
  find: () => undefined,
  isKnownToFit: () => false,
  written: () => undefined,
  checkFlags: async () => [],
};

/** A kind of violation, and how often it occurred in writes. */
export interface ReportItem {
  readonly schemaLocation: string;
  readonly keyword: string;
  readonly path: string;
  readonly count: number;
}

/** The most characters of a schema, and instructions of its regular expressions, for validating on the main thread. */
const smallCharactersMax = 16_384;
const smallInstructionsMax = 500;

/** Bytes for cached schemas, and for the entry of a project without any. */
const bytesMax = 32 * 1024 * 1024;
/** Limits on reports in memory, positions per report, and positions in total: some 2 KB each at worst. */
const reportsMax = 2_000;
const reportItemsMax = 200;
const reportItemsOfAllMax = 40_000;

/** The checks of a project's documents, by environment and kind. */
type OfProject = ReadonlyMap<string, ChecksByWriter>;
interface ChecksByWriter {
  readonly ofPlayers: ActiveChecks;
  readonly ofOthers: ActiveChecks;
}
const none: OfProject = new Map();

/** Caches the active schemas of projects. */
export class SchemaCache {
  readonly #store: Pick<Store, 'readSchemas'>;
  readonly #checkFlags: CheckFlags;
  readonly #projects: AccessCache<OfProject>;
  readonly #names = new WeakMap<ProjectKey, string>();
  readonly #validVersions = new ValidVersions();
  readonly #reports = new LRUCache<string, Map<string, ReportItem>>({ max: reportsMax, maxSize: reportItemsOfAllMax });

  constructor(store: Pick<Store, 'onAccessChange' | 'readSchemas'>, checkFlags: CheckFlags) {
    this.#store = store;
    this.#checkFlags = checkFlags;
    this.#projects = new AccessCache(store, { bytesMax, scopeOf: (name) => name.split('/') });
  }

  /** The checks of one kind of state. */
  of<Key extends PublicStateKey>(kind: SchemaKind): ActiveSchemas<Key> {
    return {
      find: (key, byPlayer) => {
        const known = this.#projects.get(this.#nameOf(key)) ?? this.#read(key);
        return known === none ? undefined : mapAwaitable(known, (held) => checksOf(held, key, kind, byPlayer));
      },
      isKnownToFit: (key, version, schema) => this.#validVersions.isKnown(key, version, schema),
      written: (key, version, schema, violations) => {
        if (violations === undefined) this.#validVersions.note(key, version, schema);
        else this.#report(schema, violations);
      },
      checkFlags: this.#checkFlags,
    };
  }

  /** A schema version's reports on this node, most frequent first. */
  reported(key: SchemaKey, version: number): readonly ReportItem[] {
    const items = this.#reports.get(nameOf(key, version))?.values() ?? [];
    return [...items].sort((a, b) => b.count - a.count);
  }

  #read(key: ProjectKey): Awaitable<OfProject> {
    const found = this.#projects.fill(this.#nameOf(key), () =>
      mapAwaitable(this.#store.readSchemas(key), (found) => found && ofProject(key, found)),
    );
    // Other code refuses reads and writes in a missing project.
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

  #report({ name }: ActiveSchema, violations: readonly Violation[]): void {
    const items = this.#reports.get(name) ?? new Map<string, ReportItem>();
    countViolations(items, violations, reportItemsMax);
    this.#reports.set(name, items, { size: Math.max(items.size, 1) });
  }
}

/** Counts violations by schema position, keyword and path, while there is room for another position. */
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

const nameOf = ({ accountId, slug, environment, kind }: SchemaKey, version: number): string =>
  `${accountId}/${slug}/${environment}/${kind} ${version}`;

function ofProject(project: ProjectKey, { flagsCheck, schemas }: ProjectSchemas): OfProject {
  const held = new Map<string, ChecksByWriter>();
  if (flagsCheck === 'enforce') for (const environment of environments) held.set(`${environment}/public-state`, onlyFlags);
  for (const { environment, kind, version, mode, schemaText, instructions } of schemas) {
    if (mode === 'off') continue;
    const name = nameOf({ ...project, environment, kind }, version);
    const isSmall = schemaText.length <= smallCharactersMax && instructions <= smallInstructionsMax;
    const common = { name, schemaText, mode, isSmall };
    const checksFlags = kind === 'public-state' && flagsCheck === 'enforce';
    held.set(`${environment}/${kind}`, {
      ofPlayers: { schema: { ...common, byPlayer: true }, checksFlags },
      ofOthers: { schema: { ...common, byPlayer: false }, checksFlags },
    });
  }
  return held.size === 0 ? none : held;
}

const flagsAlone: ActiveChecks = { schema: undefined, checksFlags: true };
const onlyFlags: ChecksByWriter = { ofPlayers: flagsAlone, ofOthers: flagsAlone };

function checksOf(
  held: OfProject,
  { environment }: PublicStateKey,
  kind: SchemaKind,
  byPlayer: boolean,
): ActiveChecks | undefined {
  const pair = held.get(`${environment}/${kind}`);
  return byPlayer ? pair?.ofPlayers : pair?.ofOthers;
}

/** The refusal of a write whose result violates the schema. */
export const schemaViolation = (violations: readonly PublicViolation[]): Refusal =>
  refusal('the state does not fit the schema', violations);

/** The refusal of a write whose result has unusable flags. */
export const unusableFlags = (findings: readonly FlagFinding[]): Refusal =>
  refusal('the state has flags that cannot be used', flagViolations(findings));

function refusal(fault: string, violations: readonly PublicViolation[]): Refusal {
  const [first, ...others] = violations;
  const where = first === undefined || first.path === '' ? 'the document' : first.path;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return new Refusal('validation_error', `${fault}: ${where} ${first?.message ?? ''}${more}`, {
    details: { violations: violations.map(publicViolation) },
  });
}

/** A violation as clients see it. */
export const publicViolation = ({ path, keyword, message }: PublicViolation): PublicViolation => ({
  path,
  keyword,
  message,
});
