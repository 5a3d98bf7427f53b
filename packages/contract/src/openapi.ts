/**
 * The OpenAPI description of the service, generated from the operations table, the records and the codes. Nothing is
 * written twice: what the table does not say, the description does not say.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
import { referencedSchemas, schemaReference } from './json-schema.ts';
import { documentPaths, parametersOf, sharedParameters } from './openapi-parameters.ts';
import { responsesOf, sharedHeaders } from './openapi-responses.ts';
import type { OpenApi, OperationObject, PathItem, ResponseObject, SecurityScheme } from './openapi-types.ts';
import { type CredentialKind, describedOperations, type Method, type Operation, operations, tags } from './operations.ts';

export type * from './openapi-types.ts';

/** The version of the interface that the description describes. @see docs/contract.md §12 */
const interfaceVersion = '1.0.0';

const description = `Versioned JSON state for applications and games, with sign-in.

- Every project has three environments: \`development\`, \`staging\` and \`production\`.
- A write names the version that it was made against in \`If-Match: "N"\`, or creates with \`If-None-Match: *\`. The \`ETag\` of a read or a write is the next \`If-Match\`.
- An error carries a stable code in \`error\`; branch on it. The \`message\` beside it is for people and may change. A few answers have no body: check before parsing.
- A path that does not exist answers 404 \`not_found\`; one that does not take the method answers 405 \`method_not_allowed\` with \`Allow\`. \`HEAD\` answers as \`GET\`.`;

const schemes: Readonly<Record<CredentialKind, { readonly name: string; readonly scheme: SecurityScheme }>> = {
  developer: {
    name: 'developer',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Access token of a developer. Reaches the own account and everything in it.',
    },
  },
  end_user: {
    name: 'endUser',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Access token of an end user. Reaches the own state in one environment of one project.',
    },
  },
  api_key: {
    name: 'apiKey',
    scheme: {
      type: 'http',
      scheme: 'ApiKey',
      description: 'Key of a project: `Authorization: ApiKey svck_…`. Reaches public state, as far as the key allows.',
    },
  },
};

export interface OpenApiOptions {
  /** Where clients reach the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The operations that the service has; all of the table unless named. */
  readonly served?: ReadonlySet<string>;
}

/** The OpenAPI description of a service. */
export function openApiDocument({ baseUrl, served = new Set(Object.keys(operations)) }: OpenApiOptions): OpenApi {
  const shared = new Map<string, ResponseObject>();
  const paths = pathItems(served, shared);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdfast',
      version: interfaceVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: referencedSchemas(),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: Object.fromEntries(shared),
      securitySchemes: Object.fromEntries(Object.values(schemes).map(({ name, scheme }) => [name, scheme])),
    },
  };
}

function pathItems(served: ReadonlySet<string>, shared: Map<string, ResponseObject>): Record<string, PathItem> {
  const table = describedOperations.filter(([id]) => served.has(id));
  const documentPath = documentPaths(table.map(([, { path }]) => path));
  const items: Record<string, Partial<Record<Lowercase<Method>, OperationObject>>> = {};
  for (const [operationId, operation] of table) {
    const path = documentPath.get(operation.path) ?? operation.path;
    const method = operation.method.toLowerCase() as Lowercase<Method>;
    items[path] = { ...items[path], [method]: operationObject(operationId, operation, path, shared) };
  }
  return items;
}

function operationObject(
  operationId: string,
  operation: Operation,
  path: string,
  shared: Map<string, ResponseObject>,
): OperationObject {
  const { tag, summary, description, access, body } = operation;
  const parameters = parametersOf(operation, path);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access.map((kind) => ({ [schemes[kind].name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { [body.mediaType]: { schema: schemaReference(body.schema) } } },
    }),
    responses: responsesOf(operation, shared),
  };
}
