/** Documents that were found to fit their schema: a patch of one is validated by the values that it wrote. */
import { LRUCache } from 'lru-cache';
import type { UserStateKey } from '../storage/contract/user-state-store.ts';
import type { PublicStateKey } from '../storage/store.ts';
import type { ActiveSchema } from './active-schema.ts';

/** Characters of the names of remembered documents, including the rest of an entry. */
const charactersMax = 8_000_000;
const charactersOfEntry = 150;

interface ValidVersion {
  readonly version: number;
  /** The name of the schema with its version. */
  readonly schema: string;
}

export class ValidVersions {
  readonly #versions = new LRUCache<string, ValidVersion>({
    maxSize: charactersMax,
    sizeCalculation: (_, name) => name.length + charactersOfEntry,
  });

  /** Versions of one document never repeat, so this holds for ever. */
  isKnown(key: PublicStateKey & Partial<UserStateKey>, version: number, { name }: ActiveSchema): boolean {
    const known = this.#versions.get(nameOf(key));
    return known !== undefined && known.version === version && known.schema === name;
  }

  note(key: PublicStateKey & Partial<UserStateKey>, version: number, { name }: ActiveSchema): void {
    this.#versions.set(nameOf(key), { version, schema: name });
  }
}

const nameOf = ({ accountId, slug, environment, playerId = '' }: PublicStateKey & Partial<UserStateKey>): string =>
  `${accountId}/${slug}/${environment}/${playerId}`;
