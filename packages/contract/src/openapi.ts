/**
 * The OpenAPI description of the service, generated from the operations table, the records and the codes, and adding nothing to them.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
import { requestExamples } from './examples.ts';
import { referencedSchemas, schemaReference } from './json-schema.ts';
import { parametersOf, sharedParameters } from './openapi-parameters.ts';
import { documentPaths } from './openapi-paths.ts';
import { responsesOf, type Shared, sharedHeaders } from './openapi-responses.ts';
import { type Addresses, securityOf, securitySchemes } from './openapi-security.ts';
import type { Content, JsonSchema, OpenApi, OperationObject, PathItem } from './openapi-types.ts';
import { describedOperations, type Method, type Operation, operations, tags } from './operations.ts';

export { examples } from './examples.ts';
export type * from './openapi-types.ts';

/** The version of the interface that the description describes. @see docs/contract.md §12 */
const interfaceVersion = '1.0.0';

const description = `Live configuration, player saves and sign-in for games and apps, as versioned JSON.

- Every project has three environments: \`development\`, \`staging\` and \`production\`.
- A write names the version that it was made against in \`If-Match: "N"\`, or creates with \`If-None-Match: *\`. The \`ETag\` of a read or a write is the next \`If-Match\`.
- An error carries a stable code in \`error\`; branch on it. Its \`message\` is for people and may change. A few responses have no body: check before parsing.
- An unknown path gets 404 \`not_found\`; an unsupported method gets 405 \`method_not_allowed\` with \`Allow\`. \`HEAD\` works like \`GET\`.`;

export interface OpenApiOptions extends Addresses {
  /** The described operations. Default: the whole table. */
  readonly served?: ReadonlySet<string>;
}

/** The OpenAPI description of a service. */
export function openApiDocument(options: OpenApiOptions): OpenApi {
  const { baseUrl, served = new Set(Object.keys(operations)) } = options;
  const shared: Shared = { responses: new Map(), schemas: new Map() };
  const paths = pathItems(served, shared);
  const responses = Object.fromEntries(shared.responses);
  const parameters = used(sharedParameters, 'parameters', paths);
  const headers = used(sharedHeaders, 'headers', [paths, responses]);
  const all = { ...referencedSchemas(), ...Object.fromEntries(shared.schemas) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdfast',
      version: interfaceVersion,
      description,
      contact: { name: 'The operator of this installation', url: baseUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'This description as a page, with commands to try.', url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl, description: 'This installation.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: usedSchemas(all, [paths, responses, parameters]),
      parameters,
      headers,
      responses,
      securitySchemes: securitySchemes(options),
    },
  };
}

/** Returns the named parts that `where` refers to. */
function used<Part>(
  parts: Readonly<Record<string, Part>>,
  kind: 'schemas' | 'parameters' | 'headers',
  where: unknown,
): Record<string, Part> {
  const names = new Set(
    [...JSON.stringify(where).matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'))].map(([, name]) => name),
  );
  return Object.fromEntries(Object.entries(parts).filter(([name]) => names.has(name)));
}

/** Returns the parts that `where` refers to, directly or indirectly. */
function usedSchemas(all: Readonly<Record<string, JsonSchema>>, where: unknown): Record<string, JsonSchema> {
  let found = used(all, 'schemas', where);
  for (let before = -1; before !== Object.keys(found).length; ) {
    before = Object.keys(found).length;
    found = used(all, 'schemas', [where, found]);
  }
  return found;
}

function pathItems(served: ReadonlySet<string>, shared: Shared): Record<string, PathItem> {
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

function operationObject(operationId: string, operation: Operation, path: string, shared: Shared): OperationObject {
  const { tag, summary, description, body } = operation;
  const parameters = parametersOf(operation, path);
  return {
    operationId,
    tags: [tag],
    summary,
    description: description ?? summary,
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: requestContent(body) } }),
    responses: responsesOf(operation, shared),
  };
}

/** A request body, with several examples if it can have several forms. */
function requestContent({ mediaType, schema }: NonNullable<Operation['body']>): Content {
  const examples = requestExamples[schema];
  return { [mediaType]: { schema: schemaReference(schema), ...(examples && { examples }) } };
}
