/** The sign-in methods of projects, and the settings of each identity provider. @see docs/contract.md §8.5 */

/** People sign in with a password of this service. */
export const passwordMethod = 'password';
/** The entry among a project's sign-in methods that lets guests in. It is not a way to sign in. */
export const guestMethod = 'anonymous';
/** The methods that need no identity provider. */
export const builtInMethods: readonly string[] = [passwordMethod, guestMethod];

/** The settings of this service at a provider, without secrets. Fields of other kinds of provider are null. */
export interface IdentityProviderSettings {
  readonly clientId: string;
  /** The display name. */
  readonly name: string | null;
  /** For `oidc.*`. */
  readonly issuer: string | null;
  /** For `microsoft.com`: the tenants that may sign in. */
  readonly tenant: string | null;
  /** For `apple.com`. */
  readonly teamId: string | null;
  readonly keyId: string | null;
}

/** A provider as the login page shows it. */
export interface OfferedProvider {
  readonly id: string;
  readonly name: string;
}

/** What the settings of a provider may contain, its secret included. */
export const providerFieldNames = [
  'clientId',
  'clientSecret',
  'name',
  'issuer',
  'tenant',
  'teamId',
  'keyId',
  'privateKey',
] as const;
export type ProviderField = (typeof providerFieldNames)[number];

/** The fields of one provider in the order of a form, and whether it needs them. */
export type ProviderFields = Readonly<Partial<Record<ProviderField, 'needed' | 'optional'>>>;

const withSecret = { clientId: 'needed', clientSecret: 'needed' } as const;

/** The providers whose addresses the service knows. */
export const knownProviders = {
  'google.com': { name: 'Google', fields: withSecret },
  'apple.com': {
    name: 'Apple',
    fields: { clientId: 'needed', teamId: 'needed', keyId: 'needed', privateKey: 'needed' },
  },
  'github.com': { name: 'GitHub', fields: withSecret },
  'microsoft.com': { name: 'Microsoft', fields: { ...withSecret, tenant: 'optional' } },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly fields: ProviderFields }>>;

/** How the ids of all other providers begin. */
export const otherProviderPrefix = 'oidc.';
const fieldsOfOthers: ProviderFields = {
  name: 'optional',
  issuer: 'needed',
  clientId: 'needed',
  clientSecret: 'optional',
};
const tenantDefault = 'common';

const isKnown = (id: string): id is keyof typeof knownProviders => Object.hasOwn(knownProviders, id);

/** Returns the name of a known provider; undefined for all others. */
export const knownProviderName = (id: string): string | undefined => (isKnown(id) ? knownProviders[id].name : undefined);

/** Returns the fields of a provider. */
export const providerFields = (id: string): ProviderFields => (isKnown(id) ? knownProviders[id].fields : fieldsOfOthers);

/** Returns the field with a provider's secret, which is stored encrypted and never shown. */
export const secretFieldOf = (id: string): 'clientSecret' | 'privateKey' =>
  'privateKey' in providerFields(id) ? 'privateKey' : 'clientSecret';

/** Returns the fields that a provider needs, its secret included. */
export const neededFields = (id: string): readonly ProviderField[] =>
  Object.entries(providerFields(id)).flatMap(([field, need]) => (need === 'needed' ? [field as ProviderField] : []));

/** Returns the first needed field besides the secret that is missing or empty; undefined if none is. */
export function missingField(id: string, given: Readonly<Partial<Record<ProviderField, unknown>>>) {
  const secret = secretFieldOf(id);
  return neededFields(id).find((field) => field !== secret && !given[field]);
}

/** Returns the settings to store: without fields of other providers, and with the default tenant. */
export function providerSettings(
  id: string,
  {
    clientId,
    name = null,
    issuer = null,
    tenant,
    teamId = null,
    keyId = null,
  }: Pick<IdentityProviderSettings, 'clientId'> & Partial<IdentityProviderSettings>,
): IdentityProviderSettings {
  const fields = providerFields(id);
  return {
    clientId,
    name: fields.name ? name : null,
    issuer: fields.issuer ? issuer : null,
    tenant: fields.tenant ? (tenant ?? tenantDefault) : null,
    teamId: fields.teamId ? teamId : null,
    keyId: fields.keyId ? keyId : null,
  };
}

const idForms = [...Object.keys(knownProviders).map((id) => id.replace('.', '\\.')), 'oidc\\.[A-Za-z0-9._-]{1,64}'];

/** Ids of identity providers. */
export const identityProviderIdPattern: RegExp = new RegExp(`^(?:${idForms.join('|')})$`);
/** Sign-in methods: the built-in ones, and those through an account's providers. */
export const signInMethodPattern: RegExp = new RegExp(`^(?:${[...builtInMethods, ...idForms].join('|')})$`);
