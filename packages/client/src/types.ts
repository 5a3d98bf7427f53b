/** The types of the documents of a client, by name or from schemas. */
import type { StandardSchema } from './schema.ts';

/** The types of the two documents. */
export interface Types {
  readonly publicState?: unknown;
  readonly userState?: unknown;
}

/** The type of public state; any JSON object where nothing says more. */
export type PublicOf<T> = T extends { readonly publicState: infer State } ? State : Record<string, unknown>;

/** The type of user state; any JSON object where nothing says more. */
export type UserOf<T> = T extends { readonly userState: infer State } ? State : Record<string, unknown>;

/** Public state where the document has no value, of the type that its schema returns. */
export interface Defaults<T> {
  readonly publicState: PublicOf<T>;
}

/** What a schema of public state takes; the type of public state where no schema says more. */
export type PublicInput<T, I> = I extends { readonly publicState: infer Input } ? Input : PublicOf<T>;

/** What a schema of user state takes; the type of user state where no schema says more. */
export type UserInput<T, I> = I extends { readonly userState: infer Input } ? Input : UserOf<T>;

/** Schemas take `I` and return `T`. TypeScript infers both, or checks the schemas against the types that you name. */
export type Schemas<T, I = Types> = { readonly [Name in keyof T]?: StandardSchema<T[Name]> } & {
  readonly [Name in keyof I]?: InputOf<I[Name]>;
};

/** The part of a schema that says what it takes. */
interface InputOf<Input> {
  readonly '~standard': { readonly types?: { readonly input: Input } | undefined };
}
