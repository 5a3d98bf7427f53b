/** Documents known to fit their schema: to validate a patch of such a document, only the written values need checking. */
import { LRUCache } from 'lru-cache';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { UserStateKey } from '../../storage/contract/user-states.ts';
import type { ActiveSchema } from '../evaluation/active-schema.ts';

/** Characters of cached document names, including the rest of each entry. */
const charactersMax = 8_000_000;
const charactersOfEntry = 150;

interface ValidVersion {
  readonly version: number;
  /** The schema's name, including its version. */
  readonly schema: string;
}

export class ValidVersions {
  readonly #versions = new LRUCache<string, ValidVersion>({
    maxSize: charactersMax,
    sizeCalculation: (_, name) => name.length + charactersOfEntry,
  });

  /** Versions of one document never repeat, so this remains true forever. */
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
