/** One evaluation of all flags: the requester, the request, and the cached response. */
import type { Auth } from '../auth/auth.ts';
import { type Owner, ownerOf } from '../auth/owner.ts';
import { errorOf, HoldfastError, isHoldfastError, objectIn } from '../errors.ts';
import { type Limits, orAborted } from '../limits.ts';
import { baseUrlOf, fetchOf, invalid } from '../service.ts';
import { createTransport } from '../transport.ts';
import type { FlagContext, FlagParts } from './types.ts';
import { type FlagMap, flagsIn } from './values.ts';

/** The user for whom flags are evaluated. */
export interface Asker {
  readonly auth: Auth;
  readonly owner: Owner;
}

/** The content of a response. */
export interface Evaluation {
  readonly flags: FlagMap;
  readonly text: string;
  /** The entity tag, sent with the next request. */
  readonly tag: string | undefined;
}

/** The request body for a context. Throws `invalid_request` if it cannot be written as JSON. */
export function bodyOf(context: FlagContext): string {
  try {
    return JSON.stringify({ context });
  } catch (cause) {
    throw invalid(`the context of the flags cannot be written as JSON: ${cause}`, cause);
  }
}

/** Returns the requester: the player, or whoever reads public state while nobody is signed in. */
export async function askerOf({ auth, reader }: FlagParts, signal: AbortSignal): Promise<Asker> {
  const owner = await orAborted(ownerOf(auth, signal), signal).catch((failure) => {
    if (isHoldfastError(failure, 'signed_out')) return null;
    throw failure;
  });
  return { auth: owner === null ? reader : auth, owner };
}

/**
 * Evaluates all flags. Returns the known flags if the service confirms them. Rejects if the response is a refusal, or does not arrive in
 * time.
 */
export async function evaluate(
  { options, path }: FlagParts,
  { auth, owner }: Asker,
  body: string,
  known: Evaluation | undefined,
  limits: Limits,
  attemptsMax?: number,
): Promise<Evaluation> {
  const send = createTransport({ baseUrl: baseUrlOf(options.baseUrl), auth, fetch: fetchOf(options.fetch) });
  const headers: Record<string, string> = known?.tag === undefined ? {} : { 'If-None-Match': known.tag };
  const { signal, deadline } = limits;
  const call = { owner, method: 'POST', path, headers, body, signal, deadline };
  const received = await send(attemptsMax === undefined ? call : { ...call, attemptsMax });
  if (received.status === 304 && known !== undefined) return known;
  if (received.status !== 200) throw errorOf(received);
  const flags = flagsIn(received.text);
  if (flags === undefined) throw new HoldfastError('unexpected_response', 'the response has no flags', { status: 200 });
  return { flags, text: received.text, tag: received.headers.get('ETag') ?? undefined };
}

/** Returns the cached evaluation for this player and context. */
export async function recall(parts: FlagParts, { auth, owner }: Asker, body: string): Promise<Evaluation | undefined> {
  const kept = objectIn((await parts.options.cache?.recall(placeOf(parts), auth, owner)) ?? '');
  if (kept?.body !== body || typeof kept.text !== 'string') return undefined;
  const flags = flagsIn(kept.text);
  if (flags === undefined) return undefined;
  return { flags, text: kept.text, tag: typeof kept.tag === 'string' ? kept.tag : undefined };
}

/** Caches an evaluation, replacing the previous one. */
export async function keep(
  parts: FlagParts,
  { auth, owner }: Asker,
  body: string,
  { text, tag }: Evaluation,
): Promise<void> {
  await parts.options.cache?.keep(placeOf(parts), auth, owner, JSON.stringify({ body, text, tag }));
}

/** The location in the cache, which is cleared when the player signs out. */
const placeOf = ({ options, path }: FlagParts): string => baseUrlOf(options.baseUrl) + path;
