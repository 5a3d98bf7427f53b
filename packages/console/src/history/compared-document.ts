/** The document that a version is compared with: another version, the current version of another environment, or the result of a proposal. */
import { useQuery } from '@tanstack/react-query';
import { proposedQuery } from '../api/proposals.ts';
import { stateQuery, versionQuery } from '../api/queries.ts';
import { emptyDocument, type StateKey, type StateRecord } from '../api/state.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { proposalName } from '../times/proposal-state.tsx';
import type { Picked } from './document-picker.tsx';

const [useReleaseTexts] = textsOf('releases');
const [useHistoryTexts] = textsOf('history');

export interface ComparedDocument {
  /** The name of another document; undefined for a version of the same one. */
  readonly name: string | undefined;
  readonly data: StateRecord | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly refetch: () => Promise<unknown>;
}

const recordOf = (version: number, state: StateRecord['state']): StateRecord => ({
  version,
  state,
  comment: null,
  sizeBytes: 0,
});

/** Reads a document to compare with; a version is read if nothing else is chosen. */
export function useComparedDocument(key: StateKey, picked: Picked): ComparedDocument {
  const t = useTexts();
  const h = useHistoryTexts();
  const r = useReleaseTexts();
  const env = 'env' in picked ? picked.env : key.env;
  const proposalId = 'proposal' in picked ? picked.proposal : '';
  const version = useQuery(versionQuery(key, 'version' in picked ? picked.version : 0));
  const current = useQuery({ ...stateQuery({ ...key, env }), enabled: 'env' in picked });
  const proposed = useQuery({ ...proposedQuery({ ...key, proposalId }), enabled: 'proposal' in picked });
  if ('env' in picked) {
    const { data, error, isPending, refetch } = current;
    const shown = data === null ? recordOf(0, emptyDocument) : data;
    return { name: h.now(t.environments[env]), data: shown, error, isPending, refetch };
  }
  if ('proposal' in picked) {
    const { data, error, isPending, refetch } = proposed;
    const shown = data ? recordOf(data.stored?.version ?? 0, data.document) : undefined;
    return { name: data ? proposalName(r, data.proposal) : '', data: shown, error, isPending, refetch };
  }
  const { data, error, isPending, refetch } = version;
  return { name: undefined, data, error, isPending, refetch };
}
