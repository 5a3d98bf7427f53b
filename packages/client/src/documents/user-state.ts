import type { CallOptions } from '../limits.ts';
import type { Change, Internals, UpdateOptions } from './document.ts';
import type { PatchOperation, UserRecord } from './records.ts';

/** The state of the end user who is signed in. `Input` is what a schema takes, `State` what it returns. */
export interface UserState<State, Input = State> extends Internals<State> {
  /** The current version, or null when nothing has been written. */
  get(options?: CallOptions): Promise<UserRecord<State> | null>;
  /** Applies the operations of a JSON Patch. */
  patch(
    ops: readonly PatchOperation[],
    options: CallOptions & { readonly ifVersion: number | null },
  ): Promise<UserRecord<State>>;
  /**
   * Changes the state: `change` gets a copy and changes it, or returns a new value, and the smallest patch is written. When
   * another device wrote first, the state is read again and `change` is applied to it. The change is applied exactly once,
   * even when a response is lost.
   */
  update(change: Change<State>, options?: UpdateOptions<Input>): Promise<UserRecord<State>>;
}
