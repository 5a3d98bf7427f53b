/** How domain code reports that an account has reached a quota. */
import type { QuotaCode } from '@holdfast/contract';
import type { QuotaReached } from '../storage/contract/usage.ts';

export interface QuotaDetails {
  readonly limit: number;
  readonly used: number;
  /** When use is reset to zero, in milliseconds since the epoch; absent if it never is. */
  readonly resetsAt?: number;
  readonly retryAfterSeconds?: number;
}

/** A request that is refused with 402. It is a response and captures no stack. @see docs/contract.md §11.5 */
export class QuotaRefusal extends Error {
  override readonly name = 'QuotaRefusal';
  readonly code: QuotaCode;
  readonly details: QuotaDetails;

  constructor(code: QuotaCode, message: string, details: QuotaDetails) {
    const framesMax = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = framesMax;
    this.code = code;
    this.details = details;
  }
}

/** The refusal of a write that the store did not carry out. */
export function quotaReached({ quota, limit, used, isOfGuests }: QuotaReached): QuotaRefusal {
  switch (quota) {
    case 'projects':
      return new QuotaRefusal(
        'QUOTA_PROJECTS',
        `cannot create the project: the account has ${used} projects and may have ${limit}`,
        { limit, used },
      );
    case 'endUsers':
      return new QuotaRefusal(
        'QUOTA_END_USERS',
        isOfGuests
          ? `cannot store the state of a new guest: the account has ${used} guests and may have ${limit}, half of its end users`
          : `cannot store the state of a new end user: the account has ${used} end users and may have ${limit}`,
        { limit, used },
      );
    case 'storageBytes':
      return new QuotaRefusal(
        'QUOTA_STORAGE',
        isOfGuests
          ? `cannot store the state: the account stores ${used} bytes of guests and may store ${limit}, half of its storage`
          : `cannot store the state: the account stores ${used} bytes and may store ${limit}`,
        { limit, used },
      );
  }
}
