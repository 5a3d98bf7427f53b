/**
 * The memory that request bodies may take together, from their first piece until the response. No account may hold more than is left for
 * all others, and no player, developer or key of an account more than is left for the others of that account.
 */
import { storageRetryAfterSeconds } from '@holdfast/contract';
import type { Owner } from '../common/fair-queue.ts';
import { Refusal } from '../common/refusal.ts';

const mebibyte = 1024 * 1024;
/** Thirty-two bodies of the largest size; half of them for one account that sends alone, a quarter for one of its keys. */
const defaultBytesMax = 64 * mebibyte;

/** The memory that one body takes. */
export interface HeldBytes {
  /** Takes this many more bytes and returns true, or returns false if that is too many. */
  take(bytes: number): boolean;
  /** Gives everything back to the budget. */
  release(): void;
}

export class BodyBudget {
  readonly #bytesMax: number;
  #bytes = 0;
  readonly #ofAccounts = new Map<string, number>();
  readonly #ofSubjects = new Map<string, number>();

  constructor(bytesMax: number = defaultBytesMax) {
    this.#bytesMax = bytesMax;
  }

  hold({ account, subject }: Owner): HeldBytes {
    const name = `${account} ${subject}`;
    let held = 0;
    const add = (bytes: number) => {
      held += bytes;
      this.#bytes += bytes;
      addTo(this.#ofAccounts, account, bytes);
      addTo(this.#ofSubjects, name, bytes);
    };
    return {
      take: (bytes) => {
        const ofAccount = this.#ofAccounts.get(account) ?? 0;
        const ofSubject = this.#ofSubjects.get(name) ?? 0;
        const leftInAll = this.#bytesMax - this.#bytes;
        const leftInAccount = this.#bytesMax / 2 - ofAccount;
        if (ofAccount + bytes > leftInAll || ofSubject + bytes > leftInAccount) return false;
        add(bytes);
        return true;
      },
      release: () => {
        if (held > 0) add(-held);
      },
    };
  }
}

function addTo(sums: Map<string, number>, name: string, bytes: number): void {
  const sum = (sums.get(name) ?? 0) + bytes;
  if (sum > 0) sums.set(name, sum);
  else sums.delete(name);
}

/** The refusal of a body for lack of memory. Its request had no effect. */
export function noRoomForBody(): Refusal {
  return new Refusal(
    'service_unavailable',
    'too many request bodies are in memory; send fewer at once, and repeat the request unchanged later',
    { retryAfterSeconds: storageRetryAfterSeconds },
  );
}
