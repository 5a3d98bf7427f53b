/** The identity providers of developers, as a setting: a JSON object with the settings of each, by id. */

import { identityProviderIdPattern } from '@holdfast/contract';
import { isObject } from '../common/objects.ts';
import { issuerUrl, type Parsed, type ValueType } from './values.ts';

/** What a provider's settings may contain. The names are those of `PUT …/identity-providers/{providerId}`. */
const members = ['clientId', 'clientSecret', 'name', 'issuer', 'tenant', 'teamId', 'keyId', 'privateKey'] as const;
type Member = (typeof members)[number];

/** A provider with its secret. Members of other kinds of providers are null. */
export type DeveloperProvider = Readonly<Record<Exclude<Member, 'clientSecret' | 'privateKey'>, string | null>> & {
  readonly providerId: string;
  readonly clientId: string;
  /** The client secret, or Apple's private key. */
  readonly secret: string | null;
};

/** No fault shows a value: it may be a secret. */
export const developerProviders: ValueType<readonly DeveloperProvider[]> = {
  name: 'JSON',
  parse(text) {
    const providers: DeveloperProvider[] = [];
    for (const [providerId, given] of Object.entries(parsedObject(text) ?? { '': null })) {
      if (!identityProviderIdPattern.test(providerId))
        return {
          fault:
            'is not a JSON object of the settings of identity providers, by ids such as "google.com" or "oidc.company"',
        };
      const provider = readProvider(providerId, given);
      if ('fault' in provider) return { fault: `has a fault in ${JSON.stringify(providerId)}: ${provider.fault}` };
      providers.push(provider.value);
    }
    return { value: providers };
  },
};

function readProvider(providerId: string, given: unknown): Parsed<DeveloperProvider> {
  if (!isObject(given)) return { fault: 'it is no object' };
  for (const [member, value] of Object.entries(given)) {
    if (!members.some((known) => known === member)) return { fault: `${JSON.stringify(member)} is no member of it` };
    if (typeof value !== 'string' || value === '') return { fault: `"${member}" is no text` };
  }
  const textOf = (member: Member): string | null => (typeof given[member] === 'string' ? given[member] : null);
  const missing = neededBy(providerId).find((member) => textOf(member) === null);
  if (missing !== undefined) return { fault: `"${missing}" is missing` };
  const issuer = textOf('issuer');
  const known = issuer === null ? undefined : issuerUrl.parse(issuer);
  if (known !== undefined && 'fault' in known) return { fault: `"issuer" ${known.fault}` };
  const isOwn = providerId.startsWith('oidc.');
  return {
    value: {
      providerId,
      clientId: textOf('clientId') ?? '',
      secret: textOf(providerId === 'apple.com' ? 'privateKey' : 'clientSecret'),
      name: isOwn ? textOf('name') : null,
      issuer: isOwn ? issuer : null,
      tenant: providerId === 'microsoft.com' ? (textOf('tenant') ?? 'common') : null,
      teamId: textOf('teamId'),
      keyId: textOf('keyId'),
    },
  };
}

function neededBy(providerId: string): readonly Member[] {
  if (providerId === 'apple.com') return ['clientId', 'teamId', 'keyId', 'privateKey'];
  return providerId.startsWith('oidc.') ? ['clientId', 'issuer'] : ['clientId', 'clientSecret'];
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
