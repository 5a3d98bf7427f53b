/** An operation in the reference: callers, input, output, and a command to try it. */

import type {
  JsonSchema,
  OpenApi,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
  SecurityScheme,
} from '@holdfast/contract/openapi';
import { type Html, html } from '@holdfast/server/common/html';
import { curlCommand } from './curl.ts';
import { schemaView, typeView } from './fields.ts';
import { inlineMarkdown, markdown } from './html.ts';
import { programsOf } from './programs.ts';
import { exampleRequest } from './request.ts';
import { resolveParameter, resolveResponse, resolveSchema } from './resolve.ts';

type Components = OpenApi['components'];
export type Responses = OperationObject['responses'];

/** A response with its status. */
export type StatusResponse = readonly [string, ResponseObject | Reference];

export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** Where credentials and shared errors are described, for links from the page of a subject. */
const firstPage = '../reference';

/**
 * The operation as an article: its text, and beside it a request and a response. Responses named in `common` are left out, since they are
 * explained once for all operations.
 */
export function operationView(document: OpenApi, { method, path, operation }: Entry, common: Responses): Html {
  const { components } = document;
  const { operationId, summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolveParameter(components, one));
  const own = Object.entries(operation.responses).filter(([status]) => !(status in common));
  return html`
<article id="${operationId}">
<div>
<h2>${summary} <a class="anchor" href="#${operationId}" aria-label="Link to: ${summary}">#</a></h2>
<p class="route">${methodView(method)} <code>${pathView(path)}</code></p>
<p class="callers">${callersView(components, operation)}</p>
${description !== undefined && markdown(description)}
${parameters.length > 0 && html`<h3>Parameters</h3>${parametersView(components, parameters)}`}
${requestBody && bodyView(components, requestBody.content)}
<h3>Responses</h3>
${own.filter(([status]) => isSuccess(status)).map(([status, response]) => successView(components, status, response))}
${errorsView(
  components,
  own.filter(([status]) => !isSuccess(status)),
)}
</div>
<div class="samples">
${requestView(document, { method, path, operation })}
${own.filter(([status]) => isSuccess(status)).map(([status, response]) => exampleView(components, status, response))}
</div>
</article>`;
}

/** The example in each language. Without scripts only the command is shown. */
function requestView(document: OpenApi, { method, path, operation }: Entry): Html {
  const { summary, operationId, security } = operation;
  const request = exampleRequest(document, method, path, operation);
  const programs = Object.entries(programsOf(request)).map(
    ([language, text]) =>
      html`<pre tabindex="0" hidden data-language="${language}" aria-label="${language}: ${summary}"><code>${text}</code></pre>`,
  );
  const isForm = request.body !== undefined && 'form' in request.body;
  const callers = security.flatMap((one) => Object.keys(one));
  const canTry = callers.length === 0 || callers.includes('developer');
  const body = request.body !== undefined && 'json' in request.body && JSON.stringify(request.body.json, null, 2);
  const trial = html` data-try="${operationId}" data-method="${request.method}" data-path="${path}"${
    body !== false && html` data-body="${body}"`
  }${callers.length === 0 && html` data-anyone="yes"`}`;
  return html`<div class="code languages"${canTry && !isForm && trial}><pre tabindex="0" data-language="curl" aria-label="Command: ${summary}"><code>${curlCommand(request)}</code></pre>
${programs}</div>`;
}

/** The method of an operation, coloured by its effect. */
export function methodView(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** The code of a named error with no other code; undefined for all others. */
export function onlyCodeOf(components: Components, one: ResponseObject | Reference): string | undefined {
  if (!('$ref' in one)) return undefined;
  const schema = resolveResponse(components, one).content?.['application/json']?.schema;
  const { error, code, errorCode } = (schema && resolveSchema(components, schema).properties) ?? {};
  if (errorCode !== undefined) return undefined; // it has a second code
  const codes = (error ?? code)?.enum ?? [];
  return codes.length === 1 ? String(codes[0]) : undefined;
}

/** Error responses as a table: status, codes and meaning. The first row of a shared code is the target of its links. */
export function errorTable(components: Components, errors: readonly StatusResponse[]): Html {
  const known = new Set<string>();
  const rows = errors.map(([status, one]) => {
    const response = resolveResponse(components, one);
    const code = onlyCodeOf(components, one);
    const meaning = code === undefined ? response.description : `\`${code}\`: ${response.description}`;
    // The token endpoint has different responses for some codes; links lead to the first.
    const id = code !== undefined && !known.has(code) && html` id="error-${code}"`;
    known.add(code ?? '');
    return html`<tr${id}><th scope="row">${status}</th><td>${markdown(meaning)}</td></tr>`;
  });
  const head = html`<thead><tr><th scope="col">Status</th><th scope="col">Code and meaning</th></tr></thead>`;
  return html`<table>${head}<tbody>${rows}</tbody></table>`;
}

function callersView({ securitySchemes }: Components, { security }: OperationObject): Html {
  const all = security.flatMap((one) => Object.keys(one));
  const names = all.filter((name) => securitySchemes[name]?.type !== 'oauth2'); // other ways to get the same tokens
  if (names.length === 0) return html`Anyone, without a credential`;
  const links = names.map(
    (name) => html`<a href="${firstPage}#credential-${name}">${credentialLabel(name, securitySchemes[name])}</a>`,
  );
  return html`Called with ${links.map((link, index) => (index === 0 ? link : html` or ${link}`))}`;
}

/** A readable name of a security scheme: the bearer scheme `endUser` becomes "end user token". */
export function credentialLabel(name: string, scheme: SecurityScheme | undefined): string {
  const words = name
    .replace('OAuth2', ' OAuth 2.0')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^api\b/, 'API');
  return scheme?.type === 'http' ? `${words} token` : words;
}

function pathView(path: string): Html {
  const segments = path.split('/').slice(1);
  return html`${segments.map((segment) => html`/<wbr>${segment.startsWith('{') ? html`<var>${segment}</var>` : segment}`)}`;
}

function parametersView(components: Components, parameters: readonly ParameterObject[]): Html {
  const items = parameters.map(
    (one) =>
      html`<li><code class="name">${one.name}</code> <span class="type">${one.in}, ${typeView(components, one.schema)}${
        one.required !== true && ', optional'
      }</span> <span class="about">${inlineMarkdown(one.description)}</span></li>`,
  );
  return html`<ul class="fields">${items}</ul>`;
}

function bodyView(components: Components, content: NonNullable<ResponseObject['content']>): Html {
  const bodies = Object.entries(content).map(
    ([mediaType, { schema }]) =>
      html`<h3>Body <small>${mediaType}</small></h3>${aboutView(components, schema)}${schemaView(components, schema)}`,
  );
  return html`${bodies}`;
}

function aboutView(components: Components, schema: JsonSchema): Html | undefined {
  const { description } = resolveSchema(components, schema);
  return description === undefined ? undefined : markdown(description);
}

function successView(components: Components, status: string, one: ResponseObject | Reference): Html {
  const response = resolveResponse(components, one);
  const [content] = Object.entries(response.content ?? {});
  const headers = Object.keys(response.headers).filter((name) => name === 'ETag' || name === 'Location');
  const about = html`<strong class="status">${status}</strong> ${inlineMarkdown(response.description)}${headers.map(
    (name) => html` <span class="type">with <code>${name}</code></span>`,
  )}`;
  if (content === undefined) return html`<p>${about} <span class="type">no body</span></p>`;
  const [mediaType, { schema }] = content;
  const hasFields = mediaType === 'application/json';
  if (!hasFields) return html`<p>${about} <span class="type">${mediaType}</span></p>`;
  return html`<details><summary>${about}</summary>${schemaView(components, schema)}</details>`;
}

/** The body of a response as an example, if it has one. */
function exampleView(components: Components, status: string, one: ResponseObject | Reference): Html | undefined {
  const schema = resolveResponse(components, one).content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const resolved = resolveSchema(components, schema);
  const example =
    resolved.examples?.[0] ?? (resolved.items && resolveSchema(components, resolved.items).examples?.slice(0, 1));
  if (example === undefined) return undefined;
  return html`<div class="code"><p class="soft">Response ${status}</p><pre tabindex="0" aria-label="Example of a response ${status}"><code>${JSON.stringify(example, null, 2)}</code></pre></div>`;
}

/** Errors with one code are explained once for all operations elsewhere; the others are listed here. */
function errorsView(components: Components, errors: readonly StatusResponse[]): Html {
  const coded = errors.map((entry) => ({ entry, status: entry[0], code: onlyCodeOf(components, entry[1]) }));
  const shared = coded.filter(({ code }) => code !== undefined);
  const own = coded.filter(({ code }) => code === undefined).map(({ entry }) => entry);
  const links = shared.map(
    ({ status, code = '' }) => html`<li>${status} <a href="${firstPage}#error-${code}">${code}</a></li>\n`,
  );
  return html`${links.length > 0 && html`<ul class="codes">${links}</ul>`}
${own.length > 0 && errorTable(components, own)}
<p class="soft">Also <a href="${firstPage}#errors-of-all">the errors of every operation</a>.</p>`;
}

function isSuccess(status: string): boolean {
  return status < '400';
}
