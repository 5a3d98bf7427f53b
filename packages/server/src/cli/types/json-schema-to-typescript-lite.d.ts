/** The used part of the library. Its own declarations require a schema of draft 4. */
declare module 'json-schema-to-typescript-lite' {
  /** Returns the declarations of a schema, with the type name `name`. */
  export function compile(
    schema: object,
    name: string,
    options: {
      /** For schemas that do not restrict other members. */
      readonly additionalProperties: boolean;
      readonly unknownAny: boolean;
      readonly unreachableDefinitions?: boolean;
      readonly $refOptions: { readonly resolve: Readonly<Record<'external' | 'file' | 'http', false>> };
    },
  ): Promise<string>;
}
