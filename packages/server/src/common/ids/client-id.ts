/** Names in requests and tokens of sign-in: the clients, one for all developers and one for each project, and the scopes. */
import { accountIdPattern, type Environment, environments, slugCharactersMax, slugPattern } from '@holdfast/contract';

/** The client of every developer. */
export const developerClientId = 'svc-developer';

interface OfProject {
  readonly accountId: string;
  readonly slug: string;
}

/** Returns the client id of a project. */
export const playerClientId = ({ accountId, slug }: OfProject): string => `${accountId}.${slug}`;

/** Returns the project that a client id names, or undefined if it names none. Neither half can contain a dot. */
export function parsePlayerClientId(clientId: string): OfProject | undefined {
  const dot = clientId.indexOf('.');
  const accountId = clientId.slice(0, Math.max(dot, 0));
  const slug = clientId.slice(dot + 1);
  const isWellFormed = accountIdPattern.test(accountId) && slug.length <= slugCharactersMax && slugPattern.test(slug);
  return isWellFormed ? { accountId, slug } : undefined;
}

/** The scope of all developer tokens. */
export const developerScope = 'developer';

/** Returns the scope of a player, which is one environment. @see docs/contract.md §7.1 */
export const playerScope = (environment: Environment): string => `env:${environment}`;

/** Returns the environment that a scope grants, or undefined unless it is exactly one of them. */
export const parseScope = (scope: string | undefined): Environment | undefined =>
  environments.find((environment) => scope === playerScope(environment));
