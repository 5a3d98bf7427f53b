/**
 * The checks of writes: schemas and the flag check. Cached per project until an access change of the project, so a
 * project without checks costs one map look-up.
 */
import { environments, type SchemaKind } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../../common/async/awaitable.ts';
import type { Violation } from '../../schemas/run.ts';
import { projectName } from '../../storage/caches/record-names.ts';
import { AccessCache } from '../../storage/caches/scoped-cache.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { ProjectSchemas } from '../../storage/contract/schemas.ts';
import type { Store } from '../../storage/store.ts';
import type { ActiveSchema } from '../evaluation/active-schema.ts';
import type { CheckFlags } from './flag-check.ts';
import { ValidVersions } from './valid-versions.ts';
import { schemaName, type ViolationReports } from './violation-reports.ts';

/** The checks that apply to a document's write. */
export interface ActiveChecks {
  /** Undefined if there is no schema, or it is off. */
  readonly schema: ActiveSchema | undefined;
  /** Whether the document's flags must be usable. */
  readonly checksFlags: boolean;
}

/** The checks of one kind of state. */
export interface WriteChecks<Key extends PublicStateKey> {
  /** The checks that apply to a document's write; undefined if there are none. */
  find(key: Key, byPlayer: boolean): Awaitable<ActiveChecks | undefined>;
  /** Whether a version of a document is known to fit. */
  isKnownToFit(key: Key, version: number, schema: ActiveSchema): boolean;
  /** Records a written version, and counts its violations. */
  written(key: Key, version: number, schema: ActiveSchema, violations?: readonly Violation[]): void;
  readonly checkFlags: CheckFlags;
}

export const noWriteChecks: WriteChecks<PublicStateKey> = {
  find: () => undefined,
  isKnownToFit: () => false,
  written: () => undefined,
  checkFlags: async () => [],
};

/** The most characters of a schema, and instructions of its regular expressions, for validating on the main thread. */
const smallCharactersMax = 16_384;
const smallInstructionsMax = 500;

/** Bytes for cached schemas, and for the entry of a project without any. */
const bytesMax = 32 * 1024 * 1024;

/** The checks of a project's documents, by environment and kind. */
type OfProject = ReadonlyMap<string, ChecksByWriter>;
interface ChecksByWriter {
  readonly ofPlayers: ActiveChecks;
  readonly ofOthers: ActiveChecks;
}
const none: OfProject = new Map();

/** Caches the checks of projects. */
export class WriteChecksCache {
  readonly #store: Pick<Store, 'readSchemas'>;
  readonly #reports: Pick<ViolationReports, 'add'>;
  readonly #checkFlags: CheckFlags;
  readonly #projects: AccessCache<OfProject>;
  readonly #validVersions = new ValidVersions();

  constructor(
    store: Pick<Store, 'onAccessChange' | 'readSchemas'>,
    reports: Pick<ViolationReports, 'add'>,
    checkFlags: CheckFlags,
  ) {
    this.#store = store;
    this.#reports = reports;
    this.#checkFlags = checkFlags;
    this.#projects = new AccessCache(store, { bytesMax, scopeOf: (name) => name.split('/') });
  }

  /** The checks of one kind of state. */
  of<Key extends PublicStateKey>(kind: SchemaKind): WriteChecks<Key> {
    return {
      find: (key, byPlayer) => {
        const known = this.#projects.get(projectName(key)) ?? this.#read(key);
        return known === none ? undefined : mapAwaitable(known, (held) => checksOf(held, key, kind, byPlayer));
      },
      isKnownToFit: (key, version, schema) => this.#validVersions.isKnown(key, version, schema),
      written: (key, version, schema, violations) => {
        if (violations === undefined) this.#validVersions.note(key, version, schema);
        else this.#reports.add(schema.name, violations);
      },
      checkFlags: this.#checkFlags,
    };
  }

  #read(key: ProjectKey): Awaitable<OfProject> {
    const found = this.#projects.fill(projectName(key), () =>
      mapAwaitable(this.#store.readSchemas(key), (found) => found && ofProject(key, found)),
    );
    // Other code refuses reads and writes in a missing project.
    return mapAwaitable(found, (held) => held ?? none);
  }
}

function ofProject(project: ProjectKey, { flagsCheck, schemas }: ProjectSchemas): OfProject {
  const held = new Map<string, ChecksByWriter>();
  if (flagsCheck === 'enforce') for (const environment of environments) held.set(`${environment}/public-state`, onlyFlags);
  for (const { environment, kind, version, mode, schemaText, instructions } of schemas) {
    if (mode === 'off') continue;
    const name = schemaName({ ...project, environment, kind }, version);
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
