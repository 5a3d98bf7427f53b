/** The identity providers of developers, as a setting: a JSON object with the settings of each, by id, as in `PUT …/identity-providers/{providerId}`. */

import {
  type IdentityProviderSettings,
  identityProviderIdPattern,
  neededFields,
  type ProviderField,
  providerFieldNames,
  providerSettings,
  secretFieldOf,
} from '@holdfast/contract';
import { isObject } from '../common/objects.ts';
import { issuerUrl, type Parsed, type ValueType } from './values.ts';

/** A provider with its secret: the client secret, or Apple's private key. */
export interface DeveloperProvider extends IdentityProviderSettings {
  readonly providerId: string;
  readonly secret: string | null;
}

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
  if (!isObject(given)) return { fault: 'it must be an object' };
  for (const [member, value] of Object.entries(given)) {
    if (!providerFieldNames.some((known) => known === member))
      return { fault: `${JSON.stringify(member)} is not a known member` };
    if (typeof value !== 'string' || value === '') return { fault: `"${member}" must be a text` };
  }
  const texts = given as Readonly<Partial<Record<ProviderField, string>>>;
  const missing = neededFields(providerId).find((member) => texts[member] === undefined);
  if (missing !== undefined) return { fault: `"${missing}" is missing` };
  const known = texts.issuer === undefined ? undefined : issuerUrl.parse(texts.issuer);
  if (known !== undefined && 'fault' in known) return { fault: `"issuer" ${known.fault}` };
  const secret = texts[secretFieldOf(providerId)] ?? null;
  return { value: { providerId, ...providerSettings(providerId, { clientId: '', ...texts }), secret } };
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
