/** Refusals as plain data, in replies of threads. */
import type { ErrorCode } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';

export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Refusal['details'];
}

/** Returns the result of `work`, or the refusal that it throws. */
export function orRefused<Result>(work: () => Result): Result | Refused {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, details } = error;
    return { kind: 'refused', code, message, details };
  }
}

/** Returns a reply, or throws the refusal in it. */
export function unlessRefused<Reply extends { readonly kind: string }>(reply: Reply | Refused): Exclude<Reply, Refused> {
  if (!isRefused(reply)) return reply as Exclude<Reply, Refused>;
  const { code, message, details } = reply;
  throw new Refusal(code, message, details && { details });
}

const isRefused = (reply: { readonly kind: string }): reply is Refused => reply.kind === 'refused';
