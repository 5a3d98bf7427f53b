/** Named changes of a document, and finding the one for a stored change. */
import { invalid } from '../service.ts';

/** Changes its draft, or returns a new value. Its arguments are stored, so they must be JSON. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only changes its draft returns nothing
export type Mutator<State> = (draft: State, ...args: never[]) => State | undefined | void;

/** A mutator whose arguments or meaning differ from an earlier release of your application. */
export interface VersionedMutator<State> {
  /** The version of `change`, from 2. A plain function has version 1. */
  readonly version: number;
  readonly change: Mutator<State>;
  /**
   * Mutators of earlier versions, by number, for changes that an earlier release stored. They may translate the arguments and call the new
   * one.
   */
  readonly older?: Readonly<Record<number, Mutator<State>>>;
}

/** Named changes of a document. */
export type Mutators<State> = Readonly<Record<string, Mutator<State> | VersionedMutator<State>>>;

/** Types mutators and returns them unchanged. */
export function defineMutators<State, Defined extends Mutators<State>>(mutators: Defined & Mutators<State>): Defined {
  return mutators;
}

/** The arguments of a mutator. */
export type ArgumentsOf<Mutator> = Mutator extends (draft: never, ...args: infer Arguments) => unknown
  ? Arguments
  : Mutator extends { readonly change: (draft: never, ...args: infer Arguments) => unknown }
    ? Arguments
    : never;

/** The current version of a mutator. */
export const versionOf = (mutator: object | { readonly version: number } | undefined): number =>
  mutator !== undefined && 'version' in mutator ? mutator.version : 1;

/** The mutator of a stored change; undefined if this release has none with its name and version. */
export function mutatorFor<State>(
  mutators: Mutators<State>,
  { name, version }: { readonly name: string; readonly version: number },
): Mutator<State> | undefined {
  const found = Object.hasOwn(mutators, name) ? mutators[name] : undefined;
  if (version !== versionOf(found)) return typeof found === 'object' ? found.older?.[version] : undefined;
  return typeof found === 'object' ? found.change : found;
}

/** Checks mutators before anything is stored for them. Throws `invalid_request`. */
export function checkMutators<State>(mutators: Mutators<State>): void {
  for (const [name, mutator] of Object.entries(mutators)) {
    const { version = 1, change, older = {} } = typeof mutator === 'function' ? { change: mutator } : (mutator ?? {});
    const isRight =
      Number.isSafeInteger(version) &&
      version >= 1 &&
      [change, ...Object.values(older)].every((one) => typeof one === 'function') &&
      Object.keys(older).every((number) => Number(number) >= 1 && Number(number) < version);
    if (!isRight)
      throw invalid(`the mutator ${name} has to be a function, or to have a version, change and older versions`);
  }
}
