/** Wires the login pages together, and who signs people in there. */
import { hkdfSync } from 'node:crypto';
import type { Handlers } from '../http/exchange.ts';
import { type IdentityProvider, loginHandlers } from '../http/routes/login.ts';
import type { Authorize } from '../oauth/authorize.ts';
import type { BuiltInIdentity } from './identity.ts';
import { authFrontUrl, type Wiring } from './wiring.ts';

export interface LoginWiring extends Wiring {
  readonly authorize: Authorize;
  /** Undefined when an outside issuer is configured. */
  readonly loadBuiltIn: (() => Promise<BuiltInIdentity>) | undefined;
}

/** Returns the handlers of the login pages. */
export function createLogin(wiring: LoginWiring): Handlers {
  const { config, secretKey, authorize, baseUrl } = wiring;
  return loginHandlers({
    authorize,
    baseUrl,
    authFrontUrl: () => authFrontUrl(wiring),
    csrfKey: Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast login form', 32)),
    developerSignup: config.developerSignup,
    loadProvider: () => loadProvider(wiring),
  });
}

async function loadProvider(wiring: LoginWiring): Promise<IdentityProvider> {
  const { createConfiguredHandOver, createSignInMethods } = await import('./federation.ts');
  const builtIn = await wiring.loadBuiltIn?.();
  return builtIn === undefined
    ? { kind: 'outside', handOver: createConfiguredHandOver(wiring) }
    : { kind: 'built_in', ...builtIn, ...createSignInMethods(wiring) };
}
