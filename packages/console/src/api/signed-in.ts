/** Who is signed in, for pages. */
import { useSyncExternalStore } from 'react';
import { type SessionState, session } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, () => session.state);

/** The account shown by the pages. Pages are rendered only while there is one. */
export function useAccountId(): string {
  const state = useSession();
  return state.kind === 'signed_out' ? '' : state.accountId;
}

export const useSubject = (): string => {
  const state = useSession();
  return state.kind === 'signed_out' ? '' : state.subject;
};
