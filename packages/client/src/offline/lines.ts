/** The lines of a queue: each user's waiting changes and their sender. */
import { type Owner, ownerOf } from '../auth/owner.ts';
import { type Internals, internals } from '../documents/document.ts';
import { isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { browserStorage, guarded } from '../storage.ts';
import { Outcomes } from './outcomes.ts';
import type { QueueOptions } from './queue-types.ts';
import { Sender, type SenderOptions } from './sender.ts';
import { Waiting } from './waiting.ts';

/** The waiting changes of one user, and their sender. */
export interface Line<State> {
  readonly waiting: Waiting;
  readonly sender: Sender<State>;
  readonly outcomes: Outcomes;
}

/** The lines of a queue. */
export type Lines<State> = ReturnType<typeof openLines<State>>;

/** The lines of a queue: one for each user. */
export function openLines<State>(
  target: Internals<State>,
  changeOf: SenderOptions<State>['changeOf'],
  { storage = browserStorage(), name, initial, adoptOld = false }: QueueOptions<State>,
) {
  const { auth, documentOf, timeoutMs } = target[internals];
  const place = `holdfast:queue:${name}`;
  const kept = guarded(storage);
  const listeners = new Set<() => void>();
  const lines = new Map<Owner, Promise<Line<State>>>();
  const open = async (owner: Owner): Promise<Line<State>> => {
    const waiting = new Waiting(kept, `${place}:${owner ?? ''}`, () => tellAll(listeners));
    if (adoptOld) await waiting.adopt(place);
    const document = () => documentOf(owner);
    const sender = new Sender<State>({ waiting, document, timeoutMs, changeOf, initial });
    return { waiting, sender, outcomes: new Outcomes(waiting) };
  };
  const of = (owner: Owner): Promise<Line<State>> => {
    const line = lines.get(owner) ?? open(owner);
    lines.set(owner, line);
    line.catch(() => lines.delete(owner)); // the storage may work the next time
    return line;
  };
  return {
    /** The line of the user whom `auth` knows as signed in, without asking. */
    known: (): Promise<Line<State>> => of(auth.user?.id ?? null),
    /** The line of the user who is signed in now; undefined if nobody is. */
    mine: async (): Promise<Line<State> | undefined> => {
      try {
        return await of(await ownerOf(auth));
      } catch (failure) {
        if (isHoldfastError(failure, 'signed_out')) return undefined;
        throw failure;
      }
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      for (const line of lines.values()) line.then(({ waiting }) => waiting.close()).catch(() => {});
    },
  };
}
