/** The count of a request that says only in its body what it is counted for. */
import { type Allowance, type Limits, type Origin, refuseBeyond } from '../limits/rate-limit.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Lets the operation of the request count it, once it knows what for. Throws `rate_limited` when the address of the request has used its
 * limit up.
 */
export function countLate(limits: Limits, origin: Origin, context: RequestContext): void {
  limits.checkAddress(origin);
  const counted = (allowance: Allowance) => refuseCounted(context, allowance);
  context.count = {
    serviceAccount: async (of) => limits.countServiceAccount(of, counted),
    address: async () => limits.countAddress(origin, counted),
  };
}

/** Notes what is left of a limit, for the response. Throws `rate_limited` when that is nothing. */
export function refuseCounted(context: RequestContext, allowance: Allowance): void {
  context.allowance = allowance;
  refuseBeyond(allowance);
}
