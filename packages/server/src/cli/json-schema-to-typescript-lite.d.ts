/** What is used of the library. Its own declarations want a schema of the fourth draft. */
declare module 'json-schema-to-typescript-lite' {
  /** Returns the declarations of a schema whose type is called `name`. */
  export function compile(
    schema: object,
    name: string,
    options: {
      /** Of schemas that say nothing about other members. */
      readonly additionalProperties: boolean;
      readonly unknownAny: boolean;
      readonly unreachableDefinitions?: boolean;
      readonly $refOptions: { readonly resolve: Readonly<Record<'external' | 'file' | 'http', false>> };
    },
  ): Promise<string>;
}
