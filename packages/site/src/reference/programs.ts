/** A request as a few lines of TypeScript, Python and C#, which need no packages except `requests` for Python. */
import type { ExampleRequest } from './request.ts';

/** The same request in each language, by name. Credentials are read from the environment. */
export function programsOf(request: ExampleRequest): Readonly<Record<string, string>> {
  return { TypeScript: typeScript(request), Python: python(request), 'C#': cSharp(request) };
}

/** A text of the example, with variables as `$NAME`. */
const piecesOf = (text: string): readonly string[] => text.split(/\$([A-Z][A-Z_]+)/);

/** Double-quoted strings are equal in JSON and in all three languages, except for characters outside the first plane. */
const quoted = (text: string): string => JSON.stringify(text);

/** The pieces, with an expression for each variable, joined by `+`. */
function expression(text: string, variable: (name: string) => string): string {
  const parts = piecesOf(text).map((piece, index) =>
    index % 2 === 1 ? variable(piece) : piece === '' ? '' : quoted(piece),
  );
  return parts.filter((part) => part !== '').join(' + ') || '""';
}

function typeScript({ method, url, headers, body }: ExampleRequest): string {
  const variable = (name: string) => `env.${name}`;
  const all = [
    ...headers,
    ...(body !== undefined && 'json' in body ? [['Content-Type', 'application/json'] as const] : []),
  ];
  const lines = all.map(([name, value]) => `    ${quoted(name)}: ${expression(value, variable)},`);
  const parts = [
    `  method: ${quoted(method)},`,
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body === undefined
      ? []
      : [`  body: ${'json' in body ? jsonIn(body.json, variable) : formIn(body.form, variable)},`]),
  ];
  const program = `const response = await fetch(${quoted(url)}, {\n${parts.join('\n')}\n});\nconsole.log(response.status, await response.text());`;
  return /\benv\.[A-Z]/.test(program) ? `import { env } from ${quoted('node:process')};\n\n${program}` : program;
}

const formIn = (form: readonly (readonly [string, string])[], variable: (name: string) => string): string =>
  `new URLSearchParams({\n${form.map(([name, value]) => `    ${quoted(name)}: ${expression(value, variable)},`).join('\n')}\n  })`;

const jsonIn = (json: unknown, variable: (name: string) => string): string =>
  `JSON.stringify(${valueIn(json, variable, { null: 'null', true: 'true', false: 'false' }, '  ')})`;

/** A JSON value as an expression of a language whose lists and maps look like JSON. */
function valueIn(
  value: unknown,
  variable: (name: string) => string,
  words: Readonly<Record<'null' | 'true' | 'false', string>>,
  indent: string,
): string {
  if (value === null || typeof value === 'boolean') return words[String(value) as 'null'];
  if (typeof value === 'string') return expression(value, variable);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((one) => valueIn(one, variable, words, inner))
    : Object.entries(value).map(([name, one]) => `${quoted(name)}: ${valueIn(one, variable, words, inner)}`);
  if (items.length === 0) return isList ? '[]' : '{}';
  const lines = items.map((item) => `${inner}${item},`).join('\n');
  return isList ? `[\n${lines}\n${indent}]` : `{\n${lines}\n${indent}}`;
}

function python({ method, url, headers, body }: ExampleRequest): string {
  const variable = (name: string) => `os.environ["${name}"]`;
  const words = { null: 'None', true: 'True', false: 'False' };
  const pairs = (list: readonly (readonly [string, string])[]) =>
    `{${list.map(([name, value]) => `${quoted(name)}: ${expression(value, variable)}`).join(', ')}}`;
  const parts = [
    `    ${quoted(method)},`,
    `    ${quoted(url)},`,
    ...(headers.length > 0 ? [`    headers=${pairs(headers)},`] : []),
    ...(body === undefined
      ? []
      : ['json' in body ? `    json=${valueIn(body.json, variable, words, '    ')},` : `    data=${pairs(body.form)},`]),
  ];
  const lines = parts.join('\n');
  const isVariable = lines.includes('os.environ');
  return `${isVariable ? 'import os\n\n' : ''}import requests\n\nresponse = requests.request(\n${lines}\n)\nprint(response.status_code, response.text)`;
}

function cSharp({ method, url, headers, body }: ExampleRequest): string {
  const variable = (name: string) => `Environment.GetEnvironmentVariable("${name}")`;
  const lines = [
    'using var http = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${quoted(method)}), ${quoted(url)});`,
    ...headers.map(
      ([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${expression(value, variable)});`,
    ),
    ...(body === undefined ? [] : [`request.Content = ${contentIn(body, variable)};`]),
    'using var response = await http.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ];
  return lines.join('\n');
}

function contentIn(body: NonNullable<ExampleRequest['body']>, variable: (name: string) => string): string {
  if ('json' in body) {
    const text = expression(JSON.stringify(body.json), variable);
    return `new StringContent(${text}, System.Text.Encoding.UTF8, "application/json")`;
  }
  const fields = body.form.map(([name, value]) => `    { ${quoted(name)}, ${expression(value, variable)} },`);
  return `new FormUrlEncodedContent(new Dictionary<string, string> {\n${fields.join('\n')}\n})`;
}
