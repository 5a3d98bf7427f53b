/** The metadata with which client libraries find the endpoints of this authorization server. @see docs/contract.md §7.11, RFC 8414 §2 */
import { environments, guestGrantType } from '@holdfast/contract';
import { developerScope, playerScope } from '../common/ids/client-id.ts';

export interface MetadataOptions {
  readonly baseUrl: string;
  /** The login page is at `{authFrontUrl}/authorize`. */
  readonly authFrontUrl: string;
}

/** For clients without a secret, and for service accounts. */
const authMethods = ['none', 'client_secret_basic', 'client_secret_post'];

/** Returns the metadata document. Neither URL ends with a slash. */
export function authorizationServerMetadata({ baseUrl, authFrontUrl }: MetadataOptions) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${authFrontUrl}/authorize`,
    token_endpoint: `${baseUrl}/v1/auth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    scopes_supported: [developerScope, ...environments.map(playerScope)],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', guestGrantType],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint: `${baseUrl}/v1/auth/revoke`,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}
