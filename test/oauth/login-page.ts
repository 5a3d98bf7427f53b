/** A login page's steps between the client's redirect to it and its own redirect back, with a real provider. */
import { expect } from 'vitest';
import type { TestServer } from '../support/server.ts';
import type { OidcIssuer, Person } from './oidc-issuer.ts';

/**
 * Signs a person in at the address to which a client sent the browser; players in the tenant that the context names.
 * Returns the address that sends the browser back to the client.
 */
export async function signInAt(address: URL, server: TestServer, issuer: OidcIssuer, person: Person): Promise<URL> {
  expect(`${address.origin}${address.pathname}`).toBe(`${server.baseUrl}/authorize`);
  expect(address.searchParams.get('response_type')).toBe('code');
  const answer = await server.call('GET', `/v1/auth/authorize/context${address.search}`);
  expect(answer.status, answer.text).toBe(200);
  const context = answer.json as { readonly idp_tenant_id: string | null; readonly allowed_idps: readonly string[] };

  const form = new URLSearchParams();
  for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'scope']) {
    const value = address.searchParams.get(name);
    if (value !== null) form.set(name, value);
  }
  const tenant = context.idp_tenant_id ?? undefined;
  form.set(
    'idp_id_token',
    await issuer.signIn({ provider: 'password', ...person, ...(tenant !== undefined && { tenant }) }),
  );
  const returned = await server.call('POST', '/v1/auth/authorize/callback', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  expect(returned.status, returned.text).toBe(303);
  return new URL(returned.headers.location as string);
}
