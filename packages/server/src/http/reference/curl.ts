/** A command that sends a request, made from what the description gives as examples. */
import type { OpenApi, OperationObject, SecurityScheme } from '@holdfast/contract/openapi';
import { resolveParameter, resolveSchema } from './resolve.ts';

/** A curl command for an operation, ready for a POSIX shell. Credentials stand in it as variables. */
export function curlCommand(document: OpenApi, method: string, path: string, operation: OperationObject): string {
  const parameters = (operation.parameters ?? []).map((one) => resolveParameter(document.components, one));
  const exampleOf = (name: string) => parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? name;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(exampleOf(name))));
  const query = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  const url = `${document.servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const headers = parameters
    .filter((one) => one.in === 'header' && one.example !== undefined)
    .map((one) => `${one.name}: ${one.example}`);
  const parts = [
    `curl -i ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...[...authorization(document, operation), ...headers].map((header) => `-H ${quoted(header)}`),
    ...bodyParts(document, operation),
  ];
  return parts.join(' \\\n  ');
}

/** The header of the credential: a key where one is accepted, since that is the shortest way to a first answer. */
function authorization(document: OpenApi, { security }: OperationObject): string[] {
  const schemes = security.flatMap((one) => Object.keys(one)).map((name) => document.components.securitySchemes[name]);
  const scheme = schemes.find((one) => one?.type === 'apiKey') ?? schemes[0];
  if (scheme === undefined) return [];
  return [`Authorization: ${headerStart(scheme)} ${scheme.type === 'apiKey' ? '$API_KEY' : '$ACCESS_TOKEN'}`];
}

/** The word before the credential in its header. */
export function headerStart(scheme: SecurityScheme): string {
  return scheme.type === 'apiKey' ? 'ApiKey' : 'Bearer';
}

function bodyParts(document: OpenApi, { requestBody }: OperationObject): string[] {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return [];
  const [mediaType, { schema }] = content;
  const example = resolveSchema(document.components, schema).examples?.[0] ?? {};
  if (mediaType === 'application/x-www-form-urlencoded') {
    return Object.entries(example).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  return [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `-d ${quoted(JSON.stringify(example))}`];
}

/** The text as one word of a POSIX shell; a variable in it, such as `$ACCESS_TOKEN`, stays one. */
function quoted(text: string): string {
  if (/\$[A-Z]/.test(text)) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
