import type { CallOptions } from '../limits.ts';
import type { Change, Internals, UpdateOptions } from './document.ts';
import type { PatchOperation, UserRecord } from './records.ts';

/** The user state of the signed-in player. A schema takes `Input` and returns `State`. */
export interface UserState<State, Input = State> extends Internals<State> {
  /** Returns the current version, or null before the first write. */
  get(options?: CallOptions): Promise<UserRecord<State> | null>;
  /** Applies JSON Patch operations. */
  patch(
    ops: readonly PatchOperation[],
    options: CallOptions & { readonly ifVersion: number | null },
  ): Promise<UserRecord<State>>;
  /** As {@link PublicState.update}. */
  update(change: Change<State>, options?: UpdateOptions<Input>): Promise<UserRecord<State>>;
}
