/** The type of texts in any language, from those of one. */
export type Widened<Value> = Value extends string
  ? string
  : Value extends (...parameters: infer Parameters) => string
    ? (...parameters: Parameters) => string
    : { readonly [Name in keyof Value]: Widened<Value[Name]> };
