import type { CallOptions } from '../transport.ts';
import { type Change, Document, type DocumentOptions, type UpdateOptions } from './document.ts';
import type { PatchOperation, UserRecord } from './records.ts';

/** The state of the end user who is signed in. */
export interface UserState<State> {
  /** The current version, or null when nothing has been written. */
  get(options?: CallOptions): Promise<UserRecord<State> | null>;
  /** Applies the operations of a JSON Patch. */
  patch(
    ops: readonly PatchOperation[],
    options: CallOptions & { readonly ifVersion: number | null },
  ): Promise<UserRecord<State>>;
  /**
   * Changes the state: `change` gets a copy and changes it, or returns a new value, and the smallest patch is written. When another
   * device was faster, the state is read again and `change` is applied to it. It counts exactly once, also when a response is lost.
   */
  update(change: Change<State>, options?: UpdateOptions<State>): Promise<UserRecord<State>>;
}

export function createUserState<State>(options: DocumentOptions<State>): UserState<State> & {
  /** Forgets what is known, for somebody else has signed in. */
  forget(): void;
} {
  let document = new Document<State>(options);
  return {
    async get(call) {
      const record = await document.read(call);
      return record && document.shown(record);
    },
    patch: async (ops, { ifVersion, ...call }) =>
      document.shown(await document.write('PATCH', ifVersion, JSON.stringify({ ops }), call)),
    update: async (change, call) => document.shown(await document.update(change, call)),
    forget() {
      document = new Document<State>(options); // requests under way end in the old one
    },
  };
}
