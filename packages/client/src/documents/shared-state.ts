import type { CallOptions } from '../transport.ts';
import { type Change, Document, type DocumentOptions, type Internals, internals, type UpdateOptions } from './document.ts';
import type { PatchOperation } from './records.ts';

interface Comment {
  readonly comment?: string | undefined;
}

/** What both kinds of state have. */
export interface SharedState<State, Record> extends Internals<State> {
  get(options?: CallOptions): Promise<Record | null>;
  patch(
    ops: readonly PatchOperation[],
    options: CallOptions & Comment & { readonly ifVersion: number | null },
  ): Promise<Record>;
  update(change: Change<State>, options?: UpdateOptions<State> & Comment): Promise<Record>;
  /** Forgets everything, because somebody else has signed in. */
  forget(): void;
}

export function createSharedState<State, Record extends { readonly state: State }>(
  options: DocumentOptions<State>,
): SharedState<State, Record> {
  let document = new Document<State>(options);
  return {
    [internals]: () => document,
    async get(call) {
      const record = await document.read(call);
      return record && document.shown<Record>(record);
    },
    patch: async (ops, { ifVersion, comment, ...call }) =>
      document.shown(await document.write('PATCH', ifVersion, JSON.stringify({ ops, comment }), call)),
    update: async (change, { comment, ...call } = {}) => document.shown(await document.update(change, call, { comment })),
    forget() {
      document = new Document<State>(options); // requests under way end in the old one
    },
  };
}
