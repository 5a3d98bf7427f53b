/** The codes of the token endpoint and of revocation, which have a separate envelope. @see docs/contract.md §11.6 */

/** Codes in `error` of the token endpoint. @see RFC 6749 §5.2 */
export const tokenErrorCodes = {
  invalid_request: {
    status: 400,
    meaning: 'A parameter is missing, repeated or malformed, or the body is too large, too slow or not a form.',
  },
  invalid_client: {
    status: 401,
    meaning:
      'The client does not exist, its sign-in is switched off, or the secret of the service account is wrong, was deleted or has expired.',
  },
  invalid_grant: {
    status: 400,
    meaning:
      'The code, verifier, refresh token or assertion is invalid, used, expired or bound to something else. 401 if this concerns `previous_access_token`.',
  },
  unauthorized_client: {
    status: 400,
    meaning: 'The project does not allow guests: `allowedIdps` does not name `anonymous`.',
  },
  forbidden: { status: 403, meaning: 'The account is suspended by the operator. Nothing was spent.' },
  upgrade_unfinished: {
    status: 409,
    meaning:
      'A guest cannot sign up yet: the operator must finish the upgrade first, since nodes of an older version may still run. The code is still valid.',
  },
  use_nonce: {
    status: 400,
    meaning:
      'The nonce in the assertion of a guest is not valid. Sign another assertion with the `Auth-Nonce` of this response.',
  },
  unsupported_grant_type: {
    status: 400,
    meaning:
      'The grant type is not one of `authorization_code`, `refresh_token`, `client_credentials` and `urn:ietf:params:oauth:grant-type:jwt-bearer`.',
  },
  invalid_scope: {
    status: 400,
    meaning: "The scope is not the granted one, or a guest's scope is not exactly one `env:{environment}`.",
  },
} as const;

export type TokenErrorCode = keyof typeof tokenErrorCodes;
