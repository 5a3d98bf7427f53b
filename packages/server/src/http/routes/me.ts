/** A player's own account on the wire. @see docs/contract.md §6.5 */

import { exportPieces } from '../../players/export.ts';
import { deleteMe, extentOf, findMe, meBody } from '../../players/me.ts';
import type { HandlersOf } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { emptyReply, jsonReply } from '../replies/reply.ts';
import { exportReply, type PlayerParts } from './players.ts';

/** The handlers of a player's own account. */
export function meHandlers(parts: PlayerParts): HandlersOf<'readMe' | 'readMyExport' | 'deleteMe'> {
  const { store, now } = parts;
  return {
    readMe: async ({ principal }) => jsonReply(200, meBody(principal, await findMe(store, principal, now())), neverKept),
    readMyExport: async ({ params, principal }) => {
      const record = await findMe(store, principal, now());
      return exportReply(exportPieces(parts, params, record, extentOf(principal)));
    },
    deleteMe: async ({ principal, by }) => {
      await deleteMe(store, by(), principal);
      return emptyReply(204, neverKept);
    },
  };
}
