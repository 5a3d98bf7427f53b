/** What is saved in an environment, as examples of the documents that rules are about. */
import type { JsonObject } from '@holdfast/json';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/http.ts';
import type { SchemaKey } from '../../api/schemas.ts';
import { readState, readUserState } from '../../api/state.ts';

/** As many saves know the fields of nearly all. */
const savesMax = 5;

/** The current configuration, or the latest saves; none if nothing is saved. */
export const samplesQuery = (key: SchemaKey) =>
  queryOptions({
    queryKey: ['samples', key],
    queryFn: async ({ signal }): Promise<readonly JsonObject[]> => {
      const { kind, ...stateKey } = key;
      if (kind === 'public-state') {
        const stored = await readState(stateKey, signal);
        return stored === null ? [] : [stored.state];
      }
      const players = await call('listPlayers', {
        params: stateKey,
        query: { sort: 'last_save', limit: savesMax },
        signal,
      });
      const saves = players.items.map(({ userId }) => readUserState({ ...stateKey, endUserId: userId }, signal));
      return (await Promise.all(saves)).flatMap((save) => (save === null ? [] : [save.state]));
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
