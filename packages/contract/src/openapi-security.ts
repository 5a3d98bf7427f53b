/** How a client authenticates. */
import { environments } from './identifiers.ts';
import type { SecurityScheme } from './openapi-types.ts';
import type { CredentialKind, Operation } from './operations.ts';

export interface Addresses {
  /** Base URL for clients, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the login page, without a trailing slash. Default: the base URL. */
  readonly authFrontUrl?: string;
}

/**
 * The schemes for each kind of credential, the simplest first, since generated clients often support only one. Generators know no HTTP
 * scheme `ApiKey`, so the header is described literally and the caller writes its whole value.
 */
const schemesOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  developer: ['developer', 'developerOAuth2'],
  end_user: ['endUser', 'endUserOAuth2'],
  api_key: ['apiKey'],
};

const schemeOfQuery = 'publishableKeyInQuery';

/** The security schemes of a service. */
export function securitySchemes({ baseUrl, authFrontUrl = baseUrl }: Addresses): Record<string, SecurityScheme> {
  const flow = (scopes: Readonly<Record<string, string>>) => ({
    authorizationCode: {
      authorizationUrl: `${authFrontUrl}/authorize`,
      tokenUrl: `${baseUrl}/v1/auth/token`,
      refreshUrl: `${baseUrl}/v1/auth/token`,
      scopes,
    },
  });
  return {
    developer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: "Access token of a developer. Gives access to the developer's account and everything in it.",
    },
    endUser: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        "Access token of an end user. Gives access to the end user's state and the flags in one environment of one project.",
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'Key of a project. Gives access to public state, as far as the key allows. The value is the word `ApiKey`, a space and the key: `ApiKey svck_…`. A publishable key (`svcp_…`) reads the current public state, its changes, its flags and its own record.',
    },
    [schemeOfQuery]: {
      type: 'apiKey',
      in: 'query',
      name: 'key',
      description:
        'Publishable key (`svcp_…`) of a project, for clients that cannot send headers, such as the `EventSource` of browsers. Send it or `Authorization`, not both.',
    },
    developerOAuth2: {
      type: 'oauth2',
      flows: flow({}),
      description:
        'How a developer gets the access token: authorization code with PKCE (`S256`), client id `svc-developer`, no client secret, no scope.',
    },
    endUserOAuth2: {
      type: 'oauth2',
      flows: flow(
        Object.fromEntries(
          environments.map((environment) => [`env:${environment}`, `State in the environment ${environment}.`]),
        ),
      ),
      description:
        'How an end user gets the access token: authorization code with PKCE (`S256`), client id `{accountId}.{slug}`, no client secret. The scope chooses one environment.',
    },
  };
}

/** Returns who may call an operation: one entry per scheme; none if it is anonymous. */
export function securityOf({ access, keyInQuery }: Operation): Readonly<Record<string, readonly string[]>>[] {
  const names = access.map((kind) => schemesOf[kind]);
  const longest = Math.max(0, ...names.map(({ length }) => length));
  // Credentials themselves come before flows that obtain them.
  const inOrder = Array.from({ length: longest }, (_, place) => names.flatMap((one) => one[place] ?? []));
  if (keyInQuery) inOrder.push([schemeOfQuery]);
  return inOrder.flat().map((name) => ({ [name]: [] }));
}
