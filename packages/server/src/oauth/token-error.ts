/** Errors of the endpoints that take and give tokens. @see RFC 6749 §5.2 */
import { type TokenErrorCode, tokenErrorCodes } from '@holdfast/contract';

export interface TokenError {
  readonly kind: 'error';
  readonly status: number;
  readonly error: TokenErrorCode;
  readonly description: string;
  /** Whether the client tried to authenticate by HTTP Basic, which a 401 then names. @see RFC 6749 §5.2 */
  readonly isBasic: boolean;
}

/** An error in the form of RFC 6749 §5.2, with the status of its code, or a different one if the contract says so. */
export function tokenError(
  error: TokenErrorCode,
  description: string,
  {
    status = tokenErrorCodes[error].status,
    isBasic = false,
  }: { readonly status?: number; readonly isBasic?: boolean } = {},
): TokenError {
  return { kind: 'error', status, error, description, isBasic };
}
