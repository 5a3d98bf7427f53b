/**
 * The client as one file for pages without a bundler. It is built in advance and committed (`packages/client/bundle`), read and compressed
 * on first use, then kept.
 *
 * @see docs/contract.md §9
 */
import { hash } from 'node:crypto';
import { memoised } from '../../common/async/memoised.ts';
import { readProgramText } from '../../common/program/program-files.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { HandlersOf } from '../operation-request.ts';
import { keptForEver, keptForFiveMinutes } from '../replies/caching.ts';
import { prepareReply } from '../replies/compression.ts';
import { headerList } from '../replies/reply.ts';

const mediaType = 'text/javascript; charset=utf-8';
const openToAll = headerList({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' });

/** The handlers of the client's file, under its plain name and under the name with its hash. They need no credential. */
export function clientFileHandlers(): HandlersOf<'readClient' | 'readHashedClient'> {
  const text = memoised(async () => readProgramText(new URL('../../../../client/bundle/client.js', import.meta.url)));
  const newest = memoised(async () => prepareReply(mediaType, await text(), [...keptForFiveMinutes, ...openToAll]));
  const hashed = memoised(async () => prepareReply(mediaType, await text(), [...keptForEver, ...openToAll]));
  return {
    readClient: async ({ headers }) => (await newest())(headers),
    readHashedClient: async ({ params, headers }) => {
      if (params.clientHash !== clientFileHash(await text())) {
        throw new Refusal('not_found', 'this service has no client with this hash: use /client.js');
      }
      return (await hashed())(headers);
    },
  };
}

/** The hash in the name of a client's file: 16 hexadecimal digits of its SHA-256. */
export const clientFileHash = (text: string): string => hash('sha256', text).slice(0, 16);
