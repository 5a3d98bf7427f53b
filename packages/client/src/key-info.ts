/** Information about a key, loaded by clients that know only their key. */

import { objectIn } from './errors.ts';
import { noStore } from './service.ts';
import { browserStorage } from './storage.ts';

/** A project and environment. */
export interface Place {
  readonly accountId: string;
  readonly project: string;
  readonly environment: 'development' | 'staging' | 'production';
}

/** Requests the project of a key, once. The response is stored, in `localStorage` if available. Returns the response if it is a refusal. */
export async function readPlace(
  baseUrl: string,
  key: string,
  wanted: Place['environment'] | undefined,
  send: typeof fetch,
  signal?: AbortSignal | null,
): Promise<Place | Response> {
  const storage = browserStorage();
  const name = `holdfast:key:${baseUrl}:${key}`;
  const kept = placeIn(`${await storage.get(name)}`, wanted);
  if (kept !== undefined) return kept;
  const headers = { Authorization: `ApiKey ${key}` };
  const response = await send(`${baseUrl}/v1/api-key/info`, { headers, ...(signal && { signal }), ...noStore() });
  if (!response.ok) return response.status === 401 ? withAdvice(response, baseUrl, key) : response;
  const text = await response.text();
  const place = placeIn(text, wanted);
  if (place === undefined) return new Response('', { status: 502 }); // not from the service
  try {
    await storage.set(name, text);
  } catch {} // requested again the next time
  return place;
}

/**
 * The refusal of a key, with its reason and what to do. It names the key by its beginning, since it may be a secret in the wrong place.
 *
 * @see RFC 6750 §3
 */
function withAdvice({ status, headers }: Response, baseUrl: string, key: string): Response {
  const start = key.slice(0, Math.min(9, key.length / 3));
  const [, reason = 'it is not known'] = /error_description="([^"]+)"/.exec(headers.get('WWW-Authenticate') ?? '') ?? [];
  const message = `the key ${start}… was refused: ${reason}. Copy it from Connect in the console of ${baseUrl}`;
  return new Response(JSON.stringify({ error: 'unauthorized', message }), { status, headers });
}

/** The place in a response; undefined if the response is something else. */
function placeIn(text: string, wanted: Place['environment'] | undefined): Place | undefined {
  const { accountId, projectSlug: project, environments } = objectIn(text) ?? {};
  if (typeof accountId !== 'string' || typeof project !== 'string' || !Array.isArray(environments)) return undefined;
  return { accountId, project, environment: wanted ?? environments.find((one) => one === 'production') ?? environments[0] };
}
