/** Parameters of the description: path segments, query, and precondition headers. */
import { proposalIdPattern, schemaKinds } from './identifiers.ts';
import { schemaReference } from './json-schema.ts';
import { idempotencyKeyCharactersMax, pollSecondsMax, refreshKeyCharactersMin } from './limits.ts';
import { parameterNames } from './openapi-paths.ts';
import type { JsonSchema, ParameterObject, Reference } from './openapi-types.ts';
import type { Operation, QueryParameter } from './operations.ts';

const pathParameters: Readonly<Record<string, Omit<ParameterObject, 'name' | 'in' | 'required'>>> = {
  accountId: {
    description: 'The account.',
    schema: schemaReference('AccountId'),
    example: 'acc_4Zt9QmX2vKc7RbY1nLs8Wd',
  },
  slug: { description: 'The project.', schema: schemaReference('Slug'), example: 'hello' },
  env: { description: 'The environment.', schema: schemaReference('EnvironmentName'), example: 'development' },
  endUserId: {
    description: 'The end user, percent-encoded; surrounding white space is ignored.',
    schema: schemaReference('EndUserId'),
    example: 'u_81f0c2',
  },
  kind: {
    description: 'The kind of state.',
    schema: { type: 'string', enum: [...schemaKinds] },
    example: 'public-state',
  },
  version: { description: 'The version number.', schema: { type: 'integer', format: 'int64', minimum: 1 }, example: 3 },
  keyId: {
    description: 'The identifier of the API key; not the key.',
    schema: schemaReference('ApiKeyId'),
    example: 'key_7Yp2Vn',
  },
  providerId: {
    description: 'The identity provider: `google.com`, `microsoft.com`, `apple.com`, `github.com`, or `oidc.` and a name.',
    schema: schemaReference('IdentityProviderId'),
    example: 'google.com',
  },
  memberId: { description: 'The member.', schema: schemaReference('MemberId'), example: 'mem_6Rq1TzWc8KdNf3HjVx5Ysa' },
  proposalId: {
    description: 'The proposal.',
    schema: { type: 'string', pattern: proposalIdPattern.source },
    example: 'prop_5Kq8WzXc2VbNmT7RjLs4Hd',
  },
  invitationId: {
    description: 'The identifier of the invitation; not its token.',
    schema: schemaReference('InvitationId'),
    example: 'inv_2Lm8PqXe4ZtBg7HnCv9Ksd',
  },
  key: {
    description: 'The flag, percent-encoded.',
    schema: { type: 'string', minLength: 1 },
    example: 'new-shop',
  },
  serviceAccountId: {
    description: 'The service account.',
    schema: schemaReference('ServiceAccountId'),
    example: 'sa_5hTq8WcR2xLm9VbN3kYdZp',
  },
  secretId: {
    description: 'The identifier of the secret; not the secret.',
    schema: schemaReference('ServiceAccountSecretId'),
    example: 'sec_6jKp1RtY4wSx8QaB2nMfGh',
  },
  webhookId: { description: 'The webhook.', schema: schemaReference('WebhookId'), example: 'wh_4kTq8WcR2xLm9VbN3hYdZp' },
  deliveryId: {
    description: 'The delivery.',
    schema: schemaReference('WebhookDeliveryId'),
    example: 'msg_2pWm7ZcV9bXk4LdF6gHjQs',
  },
  userId: { description: 'The user.', schema: schemaReference('UserId'), example: 'usr_3fGh7KmQp2RtXw9ZbCdEjN' },
};

const requestHeaders = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The quoted version that the change was made against; with any other current version, the response is 412. A write has either this or `If-None-Match`.',
    schema: { type: 'string', pattern: '^"(?:0|[1-9][0-9]*)"$' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*` to create the document; if it exists, the response is 412. A write has either this or `If-Match`.',
    schema: { type: 'string', enum: ['*'], 'x-enum-varnames': ['Any'] },
  },
  IfNoneMatchRead: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that you already have; if one of them is current, the response is 304 without a body.',
    schema: { type: 'string' },
    example: '"3"',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The `id` of the last event received: the response contains later events. Browsers send it automatically.',
    schema: { type: 'string', pattern: '^(?:0|[1-9][0-9]*)?$' },
    example: '3',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique string for this write, such as a random UUID. The same request with the same key is carried out only once, even if sent repeatedly within 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyCharactersMax, pattern: '^[!-~]+$' },
  },
  RefreshIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'With `refresh_token`: a unique secret string for this exchange, such as 128 random bits. If the response is lost, the same request with the same key returns the same refresh token again, within 24 hours and until that token is used. Store the key before sending.',
    schema: {
      type: 'string',
      minLength: refreshKeyCharactersMin,
      maxLength: idempotencyKeyCharactersMax,
      pattern: '^[!-~]+$',
    },
  },
} as const satisfies Record<string, ParameterObject>;

/** Shared parameters, by the names that operations refer to. */
export const sharedParameters: Readonly<Record<string, ParameterObject>> = {
  ...Object.fromEntries(Object.keys(pathParameters).map((name) => [name, pathParameter(name, name)])),
  ...requestHeaders,
};

/** An empty value counts as missing. */
const querySchemas: Readonly<Record<QueryParameter['type'], JsonSchema>> = {
  integer: { type: 'integer', format: 'int32' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  string: { type: 'string', minLength: 1 },
  cursor: schemaReference('Cursor'),
  version: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  wait: { type: 'integer', format: 'int32', minimum: 0, maximum: pollSecondsMax },
};

/** Returns the parameters of an operation; `documentPath` is its path in the description, where segments may have other names. */
export function parametersOf(operation: Operation, documentPath: string): (ParameterObject | Reference)[] {
  const refer = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  const documentNames = parameterNames(documentPath);
  const inPath = parameterNames(operation.path).map((name, index) => {
    const documentName = documentNames[index] ?? name;
    return documentName === name ? refer(name) : pathParameter(name, documentName);
  });
  const inQuery = Object.entries(operation.query ?? {}).map(([name, { type, minimum, maximum, ...rest }]) => ({
    name,
    in: 'query' as const,
    ...rest,
    schema: { ...querySchemas[type], ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) },
  }));
  const inHeader = operation.precondition
    ? ['IfMatch', 'IfNoneMatch', ...(operation.repeatable ? ['IdempotencyKey'] : [])]
    : operation.repeatable === 'refresh'
      ? ['RefreshIdempotencyKey']
      : 304 in operation.success
        ? ['IfNoneMatchRead']
        : operation.watches
          ? ['LastEventId']
          : [];
  return [...inPath, ...inQuery, ...inHeader.map(refer)];
}

function pathParameter(name: string, documentName: string): ParameterObject {
  const parameter = pathParameters[name];
  if (parameter === undefined) throw new Error(`the path parameter ${name} is not described`);
  return { name: documentName, in: 'path', required: true, ...parameter };
}
