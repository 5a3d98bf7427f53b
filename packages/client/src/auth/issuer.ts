import { HoldfastError } from '../errors.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/**
 * Checks that a login page's response is from the server that its code will be sent to. Rejects with `unexpected_response` if it is from
 * another, or omits its issuer although the server always sends it.
 *
 * @see RFC 9207 §2.4
 */
export async function checkIssuer(iss: string | null, baseUrl: string, endpoint: TokenEndpoint): Promise<void> {
  if (iss === baseUrl) return;
  // The service's own base URL can differ from the address that this client uses.
  const { issuer, authorization_response_iss_parameter_supported: isDemanded } = await endpoint.metadata();
  if (iss === null ? !isDemanded : iss === issuer) return;
  const found = iss === null ? 'does not say which server it is from' : `is from ${iss}`;
  throw new HoldfastError('unexpected_response', `cannot sign in: the answer ${found}, and ${issuer ?? baseUrl} was asked`);
}
