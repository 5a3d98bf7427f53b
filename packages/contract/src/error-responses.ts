/** The error responses of an operation, derived from its entry in the table: one closed set of codes for each status. */
import { type ErrorCode, errorCodes, type QuotaCode } from './errors.ts';
import { keysOf } from './keys.ts';
import type { Operation } from './operations.ts';
import { type TokenErrorCode, tokenErrorCodes } from './token-errors.ts';

/** The forms that a response of one status can have. A status may have several: a 403 has an envelope or no body. */
export interface ErrorResponse {
  /** Codes that the envelope can carry. */
  readonly codes: readonly ErrorCode[];
  readonly quotaCodes: readonly QuotaCode[];
  /** Codes in the form of RFC 6749. */
  readonly tokenCodes: readonly (TokenErrorCode | ErrorCode)[];
  readonly empty: boolean;
  readonly page: boolean;
  /** Whether the envelope also has the fields that OpenFeature clients read. */
  readonly flag: boolean;
}

/** Codes that the transport can give on every route, before the operation is reached. */
export const transportCodes = [
  'validation_error',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'expectation_failed',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** Responses to a request that reaches no operation: its path is unknown, or does not take its method. */
const unroutedCodes: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

/** Codes that the token endpoint returns as `invalid_request`, since it parses its own form. @see docs/contract.md §11.4 */
const codesOfTheForm: readonly ErrorCode[] = ['validation_error', 'request_timeout', 'payload_too_large'];

/**
 * The error responses of an operation by status, in ascending order. Without an operation: those of a request that reaches
 * none.
 */
export function errorResponses(operation: Operation | undefined): ReadonlyMap<number, ErrorResponse> {
  const other = operation?.otherErrors ?? {};
  const codes = envelopeCodes(operation);
  const quotaCodes = operation?.quotaCodes ?? [];
  const statuses = new Set([
    ...codes.map((code) => errorCodes[code].status),
    ...(quotaCodes.length > 0 ? [402] : []),
    ...Object.keys(other).map(Number),
  ]);
  return new Map(
    [...statuses]
      .sort((one, two) => one - two)
      .map((status) => [
        status,
        {
          ...formsOf(
            status,
            codes.filter((code) => errorCodes[code].status === status),
            other[status] === 'token',
          ),
          quotaCodes: status === 402 ? quotaCodes : [],
          empty: other[status] === 'empty',
          page: other[status] === 'page',
          flag: other[status] === 'flag',
        },
      ]),
  );
}

function envelopeCodes(operation: Operation | undefined): readonly ErrorCode[] {
  if (operation === undefined) return transportCodes;
  const answersAsToken = Object.values(operation.otherErrors ?? {}).includes('token');
  const excluded = answersAsToken ? [...unroutedCodes, ...codesOfTheForm] : unroutedCodes;
  const ofTransport = transportCodes.filter((code) => !excluded.includes(code));
  return [...new Set([...operation.codes, ...ofTransport])];
}

/** The codes of a status, in the form that they have there. */
function formsOf(
  status: number,
  codes: readonly ErrorCode[],
  isToken: boolean,
): Pick<ErrorResponse, 'codes' | 'tokenCodes'> {
  return isToken ? { codes: [], tokenCodes: [...tokenCodesOf(status), ...codes] } : { codes, tokenCodes: [] };
}

/** `invalid_grant` has status 400, or 401 if it concerns the previous access token. @see docs/contract.md §11.6 */
function tokenCodesOf(status: number): TokenErrorCode[] {
  return keysOf(tokenErrorCodes).filter(
    (code) => tokenErrorCodes[code].status === status || (code === 'invalid_grant' && status === 401),
  );
}

/** Headers that every response of a status carries, in addition to those of all responses. @see docs/contract.md §3.3 and §11.3 */
export function requiredHeaders(status: number): readonly string[] {
  return headersOfStatus[status] ?? [];
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  303: ['Location'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
