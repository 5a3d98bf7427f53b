/** The example request of an operation, before it is written in any language. */
import type { OpenApi, OperationObject, SecurityScheme } from '@holdfast/contract/openapi';
import { resolveParameter, resolveSchema } from './resolve.ts';

export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  /** Values may contain a variable, such as `$API_KEY`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly json: unknown } | { readonly form: readonly (readonly [string, string])[] };
}

/** Returns the request of an operation, from the examples in the description, with variables for credentials. */
export function exampleRequest(
  document: OpenApi,
  method: string,
  path: string,
  operation: OperationObject,
): ExampleRequest {
  const parameters = (operation.parameters ?? []).map((one) => resolveParameter(document.components, one));
  const exampleOf = (name: string) => parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? name;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(exampleOf(name))));
  const given = (place: string) => parameters.filter((one) => one.in === place && one.example !== undefined);
  const query = given('query').map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const headers = [
    ...authorization(document, operation),
    ...given('header').map((one) => [one.name, String(one.example)] as const),
  ];
  const url = `${document.servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  if (content === undefined) return { method: method.toUpperCase(), url, headers };
  const [mediaType, { schema }] = content;
  const example = resolveSchema(document.components, schema).examples?.[0] ?? {};
  const body =
    mediaType === 'application/x-www-form-urlencoded'
      ? { form: Object.entries(example).map(([name, value]) => [name, String(value)] as const) }
      : { json: example };
  return { method: method.toUpperCase(), url, headers, body };
}

/** The credential's header: a key if accepted, since that is the quickest to try. */
function authorization(document: OpenApi, { security }: OperationObject): (readonly [string, string])[] {
  const schemes = security.flatMap((one) => Object.keys(one)).map((name) => document.components.securitySchemes[name]);
  const scheme = schemes.find((one) => one?.type === 'apiKey' && one.in === 'header') ?? schemes[0];
  if (scheme === undefined) return [];
  return [['Authorization', `${headerStart(scheme)} ${scheme.type === 'apiKey' ? '$API_KEY' : '$ACCESS_TOKEN'}`]];
}

/** The word before the credential in its header. */
export function headerStart(scheme: SecurityScheme): string {
  return scheme.type === 'apiKey' ? 'ApiKey' : 'Bearer';
}
