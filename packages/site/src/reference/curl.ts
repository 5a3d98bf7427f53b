/** A request as a command. */
import type { ExampleRequest } from './request.ts';

/** A curl command, ready for a POSIX shell. Credentials stand in it as variables. */
export function curlCommand({ method, url, headers, body }: ExampleRequest): string {
  const parts = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : bodyParts(body)),
  ];
  return parts.join(' \\\n  ');
}

function bodyParts(body: NonNullable<ExampleRequest['body']>): string[] {
  if ('form' in body) return body.form.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body.json))}`];
}

/** The text as one word of a POSIX shell; a variable in it, such as `$ACCESS_TOKEN`, stays one. */
function quoted(text: string): string {
  if (/\$[A-Z]/.test(text)) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
