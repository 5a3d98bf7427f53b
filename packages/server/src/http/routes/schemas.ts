/** State schemas on the wire. @see docs/contract.md §5.6 */
import type { SchemaCheckBody, SchemaHistoryItemBody } from '@holdfast/contract';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { formatTime } from '../../common/requests/time.ts';
import { authorBody, type DisplayNames, type NameOf } from '../../management/display-names.ts';
import { authorOf } from '../../state/documents/document-owner.ts';
import type { CheckResult, ScannedSlice, SchemaCheck } from '../../state/validation/schema-check.ts';
import type { Schemas, WrittenSchema } from '../../state/validation/schemas.ts';
import type { PagePosition } from '../../storage/contract/pages.ts';
import type { SchemaHistoryItem, SchemaKey } from '../../storage/contract/schemas.ts';
import type { Handlers } from '../operation-request.ts';
import { stateCachingHeaders } from '../replies/caching.ts';
import type { RecordReply } from '../replies/record-reply.ts';
import { emptyReply, jsonReply, textReply } from '../replies/reply.ts';
import { formatCursor, parseCursor } from '../wire/cursor.ts';
import { pageBody, parsePageRequest } from '../wire/page.ts';

/** Returns the handlers of schemas. */
export function schemaHandlers(schemas: Schemas, checks: SchemaCheck, names: Pick<DisplayNames, 'ofAuthors'>): Handlers {
  return {
    readSchema: async ({ params }) => {
      const schema = await schemas.read(params);
      return schema === null ? emptyReply(204, stateCachingHeaders) : schemaReply(schema);
    },
    replaceSchema: async ({ params, by, precondition, bodyBytes, isProtected, principal }) =>
      schemaReply(
        await schemas.write(params, {
          by: by(),
          precondition,
          body: bodyBytes,
          isProtected,
          author: authorOf(principal),
        }),
      ),
    deleteSchema: async ({ params, by, precondition }) => {
      await schemas.remove(params, by(), precondition);
      return emptyReply(204, stateCachingHeaders);
    },
    readSchemaVersion: async ({ params }) => schemaReply(await schemas.readVersion(params, params.version)),
    listSchemaHistory: async ({ params, query, principal }) => {
      const scope = scopeOf(params);
      const { after, itemsMax } = parsePageRequest(parseFormText(query), scope);
      const { items, hasMore } = await schemas.history(params, { before: after && versionOf(after), itemsMax });
      const last = items.at(-1);
      const next = hasMore && last !== undefined ? positionOf(last) : null;
      const authors = items.map(({ author }) => author);
      const nameOf = await names.ofAuthors(principal, params.accountId, authors);
      const body = pageBody({ items, next }, scope, (item) => historyItem(item, nameOf));
      return jsonReply(200, body, stateCachingHeaders);
    },
    checkSchema: async ({ params, bodyBytes }) => {
      const scope = `scan of ${scopeOf(params)}`;
      const checked = await checks.check(params, bodyBytes, (cursor) => parseCursor(cursor, scope, '"cursor"'));
      return jsonReply(200, checkBody(checked, scope), stateCachingHeaders);
    },
    readSchemaReport: async ({ params }) =>
      jsonReply(200, { items: [...(await schemas.report(params))] }, stateCachingHeaders),
  };
}

const scopeOf = ({ accountId, slug, environment, kind }: SchemaKey): string =>
  `schemas of ${accountId}/${slug}/${environment}/${kind}`;

/** The version alone is the position in this history. */
const positionOf = ({ version, writtenAt }: SchemaHistoryItem): PagePosition => ({
  createdAt: writtenAt,
  tie: String(version),
});

/** A forged cursor of this history is a position before the first version. */
const versionOf = ({ tie }: PagePosition): number => (/^[1-9][0-9]{0,15}$/.test(tie) ? Number(tie) : 0);

function checkBody({ violations, warnings, flags, stateText, stored }: CheckResult, scope: string): SchemaCheckBody {
  return {
    valid: violations.length === 0 && flags.length === 0,
    violations: [...violations],
    warnings: [...warnings],
    stateSizeBytes: stateText === undefined ? null : Buffer.byteLength(stateText),
    flags: flags.map((finding) => ({ ...finding })),
    ...(stored && { stored: storedBody(stored, scope) }),
  };
}

const storedBody = ({ checked, failing, samples, next }: ScannedSlice, scope: string) => ({
  checked,
  failing,
  samples: [...samples],
  cursor: next === null ? null : formatCursor(next, scope),
});

const historyItem = (
  { version, mode, comment, schemaBytes, writtenAt, author }: SchemaHistoryItem,
  nameOf: NameOf,
): SchemaHistoryItemBody => ({
  version,
  mode,
  comment,
  schemaSizeBytes: schemaBytes,
  createdAt: formatTime(writtenAt),
  author: authorBody(author, nameOf),
});

/** The schema is sent as stored, so its numbers keep their digits. */
function schemaReply({ version, mode, schemaText, comment, warnings }: WrittenSchema): RecordReply {
  const warningsText = warnings === undefined ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  const text = `{"version":${version},"mode":"${mode}","schema":${schemaText},"comment":${JSON.stringify(comment)}${warningsText}}`;
  return textReply(200, 'application/json', text, [...stateCachingHeaders, 'ETag', `"${version}"`]);
}
