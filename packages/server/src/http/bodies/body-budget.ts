/**
 * The memory that all request bodies may take, from their first piece until the response. No account may hold more than remains for all
 * other accounts, and no player, developer or key may hold more than remains for the rest of its account.
 */
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';

const mebibyte = 1024 * 1024;
/** Enough for 32 bodies of the largest size. A single active account gets half of it, a single active key a quarter. */
const defaultBytesMax = 64 * mebibyte;

/** The memory that one body takes. */
export interface HeldBytes {
  /** Takes this many more bytes. Returns false, and takes none, if that is too many. */
  take(bytes: number): boolean;
  /** Returns all bytes to the budget. */
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

/** The refusal of a body for lack of memory. The request had no effect. */
export function noRoomForBody(): Refusal {
  return new Refusal(
    'service_unavailable',
    'too many request bodies are in memory; send fewer at once, and repeat the request unchanged later',
    { retryAfterSeconds: storageRetryAfterSeconds },
  );
}
