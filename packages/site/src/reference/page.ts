/** The reference of the interface, a page for each subject, generated from its OpenAPI description. It needs no script. */

import type { JsonSchema, OpenApi, OperationObject, SecurityScheme } from '@holdfast/contract/openapi';
import { type Html, html } from '@holdfast/server/common/html';
import { reference } from '../pages.ts';
import { schemaView } from './fields.ts';
import { inlineMarkdown, markdown } from './html.ts';
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

interface ReferencePage {
  /** Its address below `/docs/`. */
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  readonly content: Html;
}

export interface Reference {
  /** The first page: every operation by subject, credentials, headers and errors. */
  readonly first: ReferencePage;
  /** A page for each subject. */
  readonly subjects: readonly (ReferencePage & { readonly operations: readonly Entry[] })[];
}

/** The reference of a document, whose contents are escaped. The service replaces `__VERSION__` by its version. */
export function referenceOf(document: OpenApi): Reference {
  const entries = entriesOf(document);
  const common = commonResponses(entries.map(({ operation }) => operation));
  const subjects = document.tags.map(({ name, description }) => {
    const operations = entries.filter(({ operation }) => operation.tags.includes(name));
    const content = html`<div class="reference">
<h1>${name}</h1>
<p class="soft">${inlineMarkdown(description)}</p>
${operations.map((entry) => operationView(document, entry, common))}
</div>`;
    return {
      slug: `${reference.slug}/${slugOf(name)}`,
      title: name,
      about: description,
      content,
      operations,
    };
  });
  return { first: { ...reference, content: firstPage(document, subjects, common) }, subjects };
}

function firstPage(document: OpenApi, subjects: Reference['subjects'], common: Responses): Html {
  const { title, version, description } = document.info;
  const lists = subjects.map(
    ({ slug, title: name, about, operations }) => html`<section>
<h3 id="${slugOf(name)}"><a href="${slug}">${name}</a></h3><p class="soft">${inlineMarkdown(about)}</p>
<ul class="operations">${operations.map(({ method, operation: { operationId, summary } }) => {
      return html`<li><a id="${operationId}" href="${slug}#${operationId}">${methodView(method)} ${summary}</a></li>`;
    })}</ul>
</section>`,
  );
  return html`<div class="reference">
<h1>${title} API</h1>
<p class="soft">Version ${version} of the interface, served by Holdfast __VERSION__ at <code>${document.servers[0]?.url}</code>. For programs: <a href="../openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
${markdown(description)}
<h2 id="operations">Operations</h2>
<div class="subjects">${lists}</div>
${credentials(document)}
${headersAndErrors(document, common)}
</div>`;
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

/** A tag as an identifier: "Public state" is `public-state`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
