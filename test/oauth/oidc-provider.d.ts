/** The part of `oidc-provider` that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Grant {
    constructor(properties: { readonly clientId: string; readonly accountId: string });
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Context {
    readonly oidc: {
      readonly provider: Provider;
      readonly client: { readonly clientId: string };
      readonly session: { readonly accountId: string };
    };
  }

  interface Configuration {
    readonly clients: readonly object[];
    readonly jwks: { readonly keys: readonly object[] };
    readonly claims: Readonly<Record<string, readonly string[]>>;
    readonly conformIdTokenClaims: boolean;
    readonly cookies: { readonly keys: readonly string[] };
    readonly features: Readonly<Record<string, { readonly enabled: boolean }>>;
    readonly ttl: Readonly<Record<string, number>>;
    readonly interactions: { url(context: Context, interaction: { readonly uid: string }): string };
    findAccount(
      context: Context,
      subject: string,
    ): { readonly accountId: string; claims(): Readonly<Record<string, unknown>> } | undefined;
    loadExistingGrant(context: Context): Promise<Grant>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Grant: typeof Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: Readonly<Record<string, string>> }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
  }
}
