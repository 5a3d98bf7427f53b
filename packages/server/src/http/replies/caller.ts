/** The client that waits for a late reply. */
import type { Owner } from '../../common/threads/fair-queue.ts';
import type { Unread } from './unread-responses.ts';

/** The waiting client of an operation that reports changes or runs on another thread. */
export interface Caller {
  readonly requestId: string;
  /** The credential, in the format of the header `Authorization`. */
  readonly authorization: string | undefined;
  /** The owner of the share that the response counts against. */
  readonly owner: Owner;
  /** The network of the client. */
  network(): string;
  /** Watches the response while its client does not read. It holds `bytes` in memory. */
  watch(bytes: number): Unread;
  /** Calls `listener` when the response or its connection closes. */
  onGone(listener: () => void): void;
}
