/** Wires up what authenticates requests. */
import { type Authenticator, createAuthenticator } from '../access/authenticate.ts';
import { createAuthorities } from '../access/authorities.ts';
import { type Authorizer, createAuthorizer } from '../access/authorize.ts';
import { createServiceAccountUses, type ServiceAccountUses } from '../access/last-uses.ts';
import { createPlayerEndings, type PlayerEndings } from '../access/player-endings.ts';
import { createProjectCache, type ProjectCache } from '../access/project-cache.ts';
import { openRevokedTokens, type RevokedTokens } from '../access/revoked-tokens.ts';
import type { Config } from '../config/config.ts';
import { type AccessTokens, createAccessTokens } from '../oauth/access-token.ts';
import { createSigningKeys, type SigningKeys } from '../oauth/signing-keys.ts';
import { createSealer } from '../secrets/sealer.ts';
import { builtInIssuerName } from '../storage/contract/identity.ts';
import type { SigningPurpose } from '../storage/contract/sign-ins.ts';
import type { Wiring } from './wiring.ts';

export interface Access {
  readonly signingKeys: SigningKeys;
  readonly idTokenKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
  readonly projectCache: ProjectCache;
  readonly playerEndings: PlayerEndings;
  readonly revokedTokens: RevokedTokens;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly serviceAccountUses: ServiceAccountUses;
}

/** The issuer of developer identities. */
export const identityIssuer = ({ idpIssuer }: Config): string => idpIssuer ?? builtInIssuerName;

/** Opens the parts that authenticate requests: signing keys, tokens, credentials. Rejects if the store cannot be read. */
export async function openAccess({ store, config, secretKeys, baseUrl: issuer, now, disposal }: Wiring): Promise<Access> {
  const { seal, open } = createSealer(secretKeys, 'signing-key');
  const keysOf = (purpose: SigningPurpose) => createSigningKeys({ store, purpose, seal, open, now });
  const signingKeys = keysOf('access_token');
  const idTokenKeys = keysOf('id_token');
  await signingKeys.current(); // a wrong secret key fails the start, not the first sign-in
  const { accessTokenSeconds } = config;
  const accessTokens = createAccessTokens({ signingKeys, issuer, now, accessTokenSeconds });
  const projectCache = createProjectCache(store, now);
  const playerEndings = createPlayerEndings(store, projectCache, now);
  const revokedTokens = await openRevokedTokens({ store, accessTokenSeconds, now });
  disposal.add('the clock of ended tokens', async () => revokedTokens.close());
  const authorities = createAuthorities({ store, issuer: identityIssuer(config) });
  const { verify: verifyAccessToken } = accessTokens;
  const serviceAccountUses = createServiceAccountUses((uses) => store.recordServiceAccountUse(uses));
  disposal.add('the uses of service accounts', () => serviceAccountUses.close());
  const credentials = { store, projectCache, authorities, playerEndings, revokedTokens, serviceAccountUses };
  const authenticator = createAuthenticator({ ...credentials, verifyAccessToken, now });
  disposal.add('the uses of API keys', () => authenticator.close());
  const authorizer = createAuthorizer(projectCache);
  const parts = { signingKeys, idTokenKeys, accessTokens, projectCache, playerEndings, revokedTokens };
  return { ...parts, authenticator, authorizer, serviceAccountUses };
}
