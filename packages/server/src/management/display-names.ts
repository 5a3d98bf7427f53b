/**
 * Names of the authors of versions and the actors of audit records, as the service knows them when they are read. The names on a page are
 * looked up together.
 *
 * @see docs/contract.md §5.4
 */
import type { AuthorBody } from '@holdfast/contract';
import type { Principal } from '../access/principal.ts';
import { withoutAddress } from '../common/text/shown-text.ts';
import type { Actor } from '../storage/contract/audit.ts';
import type { KnownName, Nameless } from '../storage/contract/members.ts';
import type { Author } from '../storage/contract/public-states.ts';
import type { UserStateAuthor } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';

type Named = Pick<UserStateAuthor | Actor, 'kind' | 'id'>;
/** Returns a name; null for whoever is gone or has none. */
export type NameOf = (holder: Named) => string | null;

export interface DisplayNames {
  /** Looks up the authors of records of an account, for a reader. A reader with an API key gets no names. */
  ofAuthors(reader: Pick<Principal, 'kind'>, accountId: string, authors: readonly (Named | null)[]): Promise<NameOf>;
  /** Looks up the actors of audit records of an account. */
  ofActors(accountId: string, actors: readonly Named[]): Promise<NameOf>;
}

const nobody: NameOf = () => null;

/** Returns names of members, who are identified at `issuer`, and of service accounts. */
export function createDisplayNames(store: Pick<Store, 'findNames'>, issuer: string): DisplayNames {
  async function lookUp(accountId: string, holders: readonly (Named | null)[], developersBy: 'subjects' | 'memberIds') {
    const idsOf = (kind: Named['kind']) => [...new Set(holders.flatMap((one) => (one?.kind === kind ? [one.id] : [])))];
    const nameless: Nameless = {
      subjects: [],
      memberIds: [],
      serviceAccountIds: idsOf('service_account'),
      [developersBy]: idsOf('developer'),
    };
    if (Object.values(nameless).every((ids) => ids.length === 0)) return nobody;
    const found = await store.findNames(accountId, issuer, nameless);
    const namesBy = Map.groupBy(found, ({ by }) => by);
    const namesOf = (by: KnownName['by']) => new Map(namesBy.get(by)?.map((known) => [known.id, displayName(known)]));
    const [developers, serviceAccounts] = [namesOf(developersBy), namesOf('serviceAccountIds')];
    return ({ kind, id }: Named) => {
      if (kind === 'developer') return developers.get(id) ?? null;
      return kind === 'service_account' ? (serviceAccounts.get(id) ?? null) : null;
    };
  }

  return {
    ofAuthors: async (reader, accountId, authors) =>
      reader.kind === 'api_key' ? nobody : lookUp(accountId, authors, 'subjects'),
    ofActors: (accountId, actors) => lookUp(accountId, actors, 'memberIds'),
  };
}

/** Returns a name, or what stands before the `@` of an email address that is the name or replaces a missing one. */
export function displayName({ name, email }: Pick<KnownName, 'name' | 'email'>): string | null {
  const known = name?.trim() || email?.trim() || null;
  return known === null ? null : withoutAddress(known);
}

/** Returns an author as the API shows it; null if it is unknown. An API key keeps its name at the time of the write. */
export function authorBody(author: Author | null, nameOf: NameOf): AuthorBody | null {
  if (author === null) return null;
  const { kind, id } = author;
  return { kind, id, name: kind === 'api_key' ? author.name : nameOf(author) };
}
