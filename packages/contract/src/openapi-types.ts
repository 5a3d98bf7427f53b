/** The part of OpenAPI 3.1 that the description of this service uses. @see https://spec.openapis.org/oas/v3.1.1.html */

/** The part of JSON Schema 2020-12 that the records of this service use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  /** Names for the values of `enum` that generators cannot turn into words. */
  readonly 'x-enum-varnames'?: readonly string[];
}

export interface Reference {
  readonly $ref: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly examples?: Examples }>>;

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Content;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** One entry per accepted kind of credential; empty if the operation is anonymous. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export type PathItem = Readonly<Partial<Record<'get' | 'put' | 'post' | 'delete' | 'patch', OperationObject>>>;

export type SecurityScheme = { readonly description: string } & (
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query'; readonly name: string }
  | { readonly type: 'oauth2'; readonly flows: { readonly authorizationCode: AuthorizationCodeFlow } }
);

interface AuthorizationCodeFlow {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly refreshUrl: string;
  readonly scopes: Readonly<Record<string, string>>;
}

export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly externalDocs: { readonly description: string; readonly url: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
