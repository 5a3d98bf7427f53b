/** Clients that know only service and key. The service says which project the key belongs to. */
import type { Auth } from './auth/auth.ts';
import { laterAuth } from './auth/later.ts';
import { errorOf } from './errors.ts';
import type { Place } from './key-info.ts';
import { baseUrlOf, fetchOf } from './service.ts';

/** Placeholder in paths until the project is known. */
const unknown = '-' as 'production';

/** Known parts of the place. */
interface PlaceOptions {
  readonly environment?: Place['environment'] | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Returns the initial options of a client before its key's project is known, with a `fetch` that completes each path, and a function that
 * creates an `auth` once it is known. Throws `invalid_request` without an address or a `fetch`.
 */
export function placeOfKey(given: string, key: string, { environment, fetch }: PlaceOptions) {
  const baseUrl = baseUrlOf(given);
  const send = fetchOf(fetch);
  let known: Place | undefined;
  /** The place, or the response that refuses it. */
  const find = async (signal?: AbortSignal | null): Promise<Place | Response> => {
    if (known !== undefined) return known;
    const { readPlace } = await import('./key-info.ts');
    const found = await readPlace(baseUrl, key, environment, send, signal);
    if (!('ok' in found)) known = found;
    return found;
  };
  const sendThere: typeof globalThis.fetch = async (input, init) => {
    const place = await find(init?.signal);
    if ('ok' in place) return place;
    const [, rest = ''] = String(input).split('/projects/-/');
    const path = `${place.accountId}/projects/${place.project}/${rest.replace('/-', `/${place.environment}`)}`;
    return send(`${baseUrl}/v1/${path}`, init);
  };
  return {
    options: {
      baseUrl,
      accountId: key,
      project: unknown,
      environment: environment ?? unknown,
      fetch: sendThere,
      publishableKey: key,
    },
    authOf: (make: (place: Place) => Auth): Auth =>
      laterAuth(async () => {
        const place = await find();
        if (!('ok' in place)) return make(place);
        throw errorOf({ status: place.status, headers: place.headers, text: await place.text() });
      }),
  };
}
