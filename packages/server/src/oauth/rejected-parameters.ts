/**
 * Parameters that sign-in has rejected: unregistered redirect URIs and unknown scopes. Kept for the developer of the project, since the
 * page must reveal nothing to a stranger. In memory, so each node has only its own.
 */

import { LRUCache } from 'lru-cache';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { SeenParameter } from '../storage/contract/sign-in-settings.ts';
import type { Client } from './clients.ts';

/** Number of remembered accounts, and of parameters of each: about 4 MB if all have the maximum length. */
const accountsMax = 500;
const parametersOfAccountMax = 16;
const valueCharactersMax = 200;
const keptMs = dayMilliseconds;

export type RejectedParameter = Omit<SeenParameter, 'at'>;

export interface RejectedParameters {
  /** Remembers a parameter, cut to 200 characters. */
  note(project: ProjectKey, parameter: RejectedParameter): void;
  /** Returns those of the last 24 hours, newest first. */
  of(project: ProjectKey): readonly SeenParameter[];
}

interface Noted extends SeenParameter {
  readonly slug: string;
}

/** `now` gives milliseconds since the epoch. */
export function createRejectedParameters(now: () => number): RejectedParameters {
  // By account, so that an account has one share, however many projects it has.
  const noted = new LRUCache<string, readonly Noted[]>({ max: accountsMax });
  return {
    note({ accountId, slug }, { kind, value: whole }) {
      const value = whole.slice(0, valueCharactersMax);
      const others = (noted.get(accountId) ?? []).filter(
        (one) => one.slug !== slug || one.kind !== kind || one.value !== value,
      );
      noted.set(accountId, [{ slug, kind, value, at: now() }, ...others].slice(0, parametersOfAccountMax));
    },
    of({ accountId, slug }) {
      const oldest = now() - keptMs;
      return (noted.get(accountId) ?? []).filter((one) => one.slug === slug && one.at > oldest);
    },
  };
}

/**
 * Returns the function that reports an impossible request to the developer and, through `warn`, to the log. The log omits the query: in a
 * redirect URI it may contain personal data.
 */
export function reportRejectedParameters(
  rejectedParameters: Pick<RejectedParameters, 'note'>,
  warn: (fields: object, message: string) => void,
): (client: Client, parameter: RejectedParameter) => void {
  return (client, parameter) => {
    if (client.kind === 'end_user') rejectedParameters.note(client, parameter);
    const { clientId, redirectUris } = client;
    const value = parameter.value.slice(0, valueCharactersMax).replace(/[?#].*/s, '?…');
    if (parameter.kind === 'scope') warn({ clientId, scope: value }, 'a sign-in asked for an unknown scope');
    else warn({ clientId, redirectUri: value, redirectUris }, 'a sign-in asked for a redirect URI that is not registered');
  };
}
