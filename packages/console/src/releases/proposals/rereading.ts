/** Keeps what is shown of proposals in step with the document that they change. */
import { useEffect } from 'react';
import { forgetProposals } from '../../api/proposals.ts';
import type { StateKey } from '../../api/state.ts';
import { watchVersion } from '../../api/watch.ts';

/** Reads proposals again whenever the document changes. */
export function useRereading({ accountId, slug, env }: StateKey): void {
  useEffect(() => {
    let known: number | undefined;
    return watchVersion({ accountId, slug, env }, (version) => {
      if (known !== undefined && known !== version) void forgetProposals({ accountId, slug, env });
      known = version;
    });
  }, [accountId, slug, env]);
}
