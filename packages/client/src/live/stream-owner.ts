import type { Auth } from '../auth/auth.ts';
import { type Owner, ownerOf } from '../auth/owner.ts';
import { isHoldfastError } from '../errors.ts';
import { orAborted } from '../limits.ts';
import { backoff, delay } from '../runtime.ts';

/** Returns the user of a stream opened now. An application that cannot say is asked again. Rejects with `signed_out`. */
export async function streamOwner(auth: Auth, signal: AbortSignal): Promise<Owner> {
  for (let failures = 0; ; failures++) {
    try {
      return await orAborted(ownerOf(auth, signal), signal);
    } catch (failure) {
      if (signal.aborted || isHoldfastError(failure, 'signed_out')) throw failure;
    }
    await delay(backoff(failures, 500, 30_000), signal);
  }
}
