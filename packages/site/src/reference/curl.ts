/** A request as a command. */
import type { ExampleRequest } from './request.ts';

/** A curl command for a POSIX shell, with variables for credentials. */
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
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(jsonText(body.json))}`];
}

/** Longer JSON has a line for each member. */
function jsonText(json: unknown): string {
  const line = JSON.stringify(json);
  return line.length <= 60 ? line : JSON.stringify(json, null, 2);
}

/** The text as one word of a POSIX shell. Variables, such as `$ACCESS_TOKEN`, are still expanded. */
function quoted(text: string): string {
  if (/\$[A-Z]/.test(text)) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
