/** The reference of the interface as the content of one page, generated from its OpenAPI description. It needs no script. */
import type { JsonSchema, OpenApi, OperationObject, SecurityScheme } from '@holdfast/contract/openapi';
import { schemaView } from './fields.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import {
  credentialLabel,
  type Entry,
  errorTable,
  methodView,
  onlyCodeOf,
  operationView,
  type Responses,
  type StatusResponse,
} from './operation.ts';
import { headerStart } from './request.ts';
import { resolveHeader, resolveResponse, resolveSchema } from './resolve.ts';

export interface Reference {
  /** The HTML of the page's content. */
  readonly content: string;
  /** The HTML of the table of contents. */
  readonly outline: string;
}

/** The reference of a document, whose contents are escaped. The service replaces `__VERSION__` by its version. */
export function referenceOf(document: OpenApi): Reference {
  const { title, version, description } = document.info;
  const entries = entriesOf(document);
  const common = commonResponses(entries.map(({ operation }) => operation));
  const content = html`<div class="reference">
<h1>${title} API</h1>
<p class="soft">Version ${version} of the interface, served by Holdfast __VERSION__ at <code>${document.servers[0]?.url}</code>. For programs: <a href="../openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
${markdown(description)}
${credentials(document)}
${document.tags.map((tag) => tagSection(document, tag, entries, common))}
${headersAndErrors(document, common)}
</div>`;
  return { content: content.text, outline: navigation(document, entries).text };
}

function entriesOf(document: OpenApi): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Error responses that are identical in every operation. */
function commonResponses(operations: readonly OperationObject[]): Responses {
  const [first, ...others] = operations;
  const isEverywhere = ([status, response]: [string, unknown]) =>
    status >= '400' && others.every(({ responses }) => JSON.stringify(responses[status]) === JSON.stringify(response));
  return Object.fromEntries(Object.entries(first?.responses ?? {}).filter(isEverywhere));
}

function navigation({ tags }: OpenApi, entries: readonly Entry[]): Html {
  const sections = tags.map(
    ({ name }) =>
      html`<li><a href="#${slugOf(name)}">${name}</a><ul>${entries
        .filter(({ operation }) => operation.tags.includes(name))
        .map(
          ({ method, operation }) =>
            html`<li><a href="#${operation.operationId}">${methodView(method)} ${operation.summary}</a></li>`,
        )}</ul></li>`,
  );
  return html`<nav aria-label="Reference"><ul>
<li><a href="#credentials">Credentials</a></li>
${sections}<li><a href="#headers-and-errors">Headers and errors</a></li></ul></nav>`;
}

function credentials({ components }: OpenApi): Html {
  const items = Object.entries(components.securitySchemes).map(
    ([name, scheme]) =>
      html`<li id="credential-${name}"><strong>${credentialLabel(name, scheme)}</strong> <span class="type">${schemeView(scheme)}</span> <span class="about">${inlineMarkdown(scheme.description)}</span></li>`,
  );
  return html`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2><ul class="fields">${items}</ul></section>`;
}

/** The header or query parameter of the credential, or its source. */
function schemeView(scheme: SecurityScheme): Html {
  if (scheme.type === 'apiKey' && scheme.in === 'query') return html`<code>?${scheme.name}=…</code>`;
  if (scheme.type !== 'oauth2') return html`<code>Authorization: ${headerStart(scheme)} …</code>`;
  const { authorizationUrl, tokenUrl } = scheme.flows.authorizationCode;
  return html`<code>${authorizationUrl}</code>, <code>${tokenUrl}</code>`;
}

function headersAndErrors(document: OpenApi, common: Responses): Html {
  const { components } = document;
  const headers = Object.entries(components.headers).map(([name, one]) => {
    const { description } = resolveHeader(components, one);
    return html`<li><code class="name">${name}</code> <span class="about">${inlineMarkdown(description)}</span></li>`;
  });
  const bodies = errorForms(document).map(
    (schema) =>
      html`<details><summary>${inlineMarkdown(schema.description ?? '')}</summary>${schemaView(components, schema)}</details>`,
  );
  return html`<section aria-labelledby="headers-and-errors"><h2 id="headers-and-errors">Headers and errors</h2>
<h3>Headers of responses</h3><ul class="fields">${headers}</ul>
<h3>Bodies of errors</h3>${bodies}
<h3 id="errors-of-all">Errors of every operation</h3>${errorTable(components, Object.entries(common))}
<h3>Errors that operations share</h3>${errorTable(components, sharedErrors(document, common))}</section>`;
}

/** Errors that operations refer to, by status, each once and without those of every operation. */
function sharedErrors({ components, paths }: OpenApi, common: Responses): StatusResponse[] {
  const references = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status, one]) => onlyCodeOf(components, one) !== undefined && !(status in common));
  const byReference = new Map(references.map((entry) => [JSON.stringify(entry), entry]));
  return [...byReference.values()].sort(([one], [two]) => Number(one) - Number(two));
}

/** The distinct forms of error bodies, whatever their codes. */
function errorForms({ components, paths }: OpenApi): JsonSchema[] {
  const schemas = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status >= '400'))
    .flatMap(([, one]) => resolveResponse(components, one).content?.['application/json'] ?? [])
    .map(({ schema }) => withoutCodes(resolveSchema(components, schema)));
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function withoutCodes(schema: JsonSchema): JsonSchema {
  const { examples: _, properties = {}, ...rest } = schema;
  const members = Object.entries(properties).map(([name, { enum: _codes, 'x-enum-varnames': _names, ...member }]) => [
    name,
    member,
  ]);
  return { ...rest, properties: Object.fromEntries(members) };
}

function tagSection(
  document: OpenApi,
  { name, description }: OpenApi['tags'][number],
  entries: readonly Entry[],
  common: Responses,
): Html {
  const own = entries.filter(({ operation }) => operation.tags.includes(name));
  return html`<section aria-labelledby="${slugOf(name)}">
<h2 id="${slugOf(name)}">${name}</h2><p class="soft">${inlineMarkdown(description)}</p>
${own.map((entry) => operationView(document, entry, common))}
</section>`;
}

/** A tag as an identifier: "Public state" is `public-state`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
