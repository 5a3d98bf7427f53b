/**
 * Checks values that the service parses from records, with the same code, so that nothing is stored that requests could not use. Rules
 * newer than the stored values do not apply.
 */

import {
  type IdentityProviderSettings,
  logoBytesMax,
  missingField,
  nestingDepthMax,
  stateCharactersMax,
} from '@holdfast/contract';
import { components } from '@holdfast/contract/schemas';
import { isJsonObject, type JsonObject, parseJson, printJson, readOperations } from '@holdfast/json';
import { Compile } from 'typebox/compile';
import { redirectUriFault } from '../../common/text/redirect-uri.ts';
import { isTrustedAddress } from '../../identity/provider-keys.ts';
import { compileStateSchema } from '../../schemas/compile-state-schema.ts';
import { namedClassesIn } from '../../schemas/pattern-source.ts';
import { SchemaFault } from '../../schemas/schema-fault.ts';
import { namedProjectFields } from '../../storage/contract/projects.ts';
import { parseSettings } from '../../storage/contract/sign-in-settings.ts';
import { projectFieldAt } from '../../storage/rows/project-rows.ts';
import type { TransferKind, TransferRecord } from '../../storage/transfer/kinds.ts';

/**
 * How many character classes, such as `\p{L}`, the schemas of one account may contain together. Each takes up to half a millisecond to
 * compile, and nothing else in a schema takes long.
 */
const classesMax = 400_000;

const [settingsForm, providerForm, projectForm] = [
  Compile(components.EndUserAuthConfigBody),
  Compile(components.ReplaceIdentityProviderBody),
  Compile(components.UpdateProjectBody),
];

/** Returns the fault in the text of a state, as the service would have stored it; undefined if it is valid. */
export function documentFault(text: string): string | undefined {
  if (text.length > stateCharactersMax) return `is longer than ${stateCharactersMax} characters`;
  const document = objectIn(text, nestingDepthMax);
  if (document === undefined) return 'is no JSON object, or is nested too deep';
  const printed = printJson(document);
  // A patched document may have its members in an order that the parser would not produce.
  return printed === text || hasSameUnits(printed, text) ? undefined : 'is not as the service writes it';
}

/** Returns the fault in the operations of a proposal; undefined if they are valid. */
function operationsFault(text: string): string | undefined {
  if (text.length > stateCharactersMax) return `are longer than ${stateCharactersMax} characters`;
  try {
    return 'kind' in readOperations(parseJson(text, nestingDepthMax + 2)) ? 'are not operations' : undefined;
  } catch {
    return 'are no JSON';
  }
}

function proposalFault({ ops, state, next_at }: TransferRecord): string | undefined {
  // Nothing that comes from elsewhere happens by itself, but what undoes a change.
  if (state !== 'applied' && next_at !== null)
    return named('next_at', 'is set, although no open proposal arrives with a time');
  return ops === null ? undefined : named('ops', operationsFault(String(ops)));
}

/**
 * Whether two texts have the same code units. If so, the text has no duplicate member names: each member has a colon, and printing adds
 * colons only where it removes the `u` of an escape.
 */
function hasSameUnits(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const counts = new Int32Array(2 ** 16);
  for (let i = 0; i < one.length; i++) {
    const [here, there] = [one.charCodeAt(i), other.charCodeAt(i)];
    counts[here] = (counts[here] ?? 0) + 1;
    counts[there] = (counts[there] ?? 0) - 1;
  }
  return counts.every((count) => count === 0);
}

function objectIn(text: unknown, depthMax?: number): JsonObject | undefined {
  try {
    const value = parseJson(String(text), depthMax);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the values of the records of one export. */
export class ValueChecks {
  readonly #isBounded: boolean;
  /** The last compiled schema, and the result. */
  #compiled: { readonly text: string; readonly instructions: number | undefined } | undefined;
  #classes = 0;

  /** `isBounded`: limits the time for all schemas together. */
  constructor(isBounded: boolean) {
    this.#isBounded = isBounded;
  }

  /** Returns the fault in a record's values, naming fields but no value; undefined if they are valid. */
  fault(kind: TransferKind, record: TransferRecord): string | undefined {
    switch (kind) {
      case 'end_user_auth':
        return named('settings', signInFault(String(record.settings)));
      case 'identity_providers':
        return named('settings', providerFault(String(record.provider_id), String(record.settings)));
      case 'projects':
        return projectFault(record);
      case 'proposals':
        return proposalFault(record);
      case 'user_states':
        return named('state', documentFault(String(record.state)));
      case 'shapes':
        return record.schema === null ? undefined : this.#schemaFault(String(record.schema), Number(record.instructions));
      default:
        return undefined;
    }
  }

  #schemaFault(text: string, instructions: number): string | undefined {
    if (this.#compiled?.text !== text) {
      this.#classes += namedClassesIn(text);
      if (this.#isBounded && this.#classes > classesMax)
        return named('schema', `is one of those that name more than ${classesMax} classes of characters together`);
      this.#compiled = { text, instructions: instructionsOf(text) };
    }
    const found = this.#compiled.instructions;
    if (found === undefined) return named('schema', 'does not compile');
    return instructions < found ? '"instructions" is less than what the schema compiles to' : undefined;
  }
}

/** The compiled regular expressions of a schema; undefined if it does not compile. */
function instructionsOf(text: string): number | undefined {
  try {
    return compileStateSchema(text).schema.instructions;
  } catch (error) {
    if (error instanceof SchemaFault) return undefined;
    throw error;
  }
}

/** Each field must have a value that a change of the project could give it. */
function projectFault(record: TransferRecord): string | undefined {
  const found = namedProjectFields.find(([name]) => !projectForm.Check({ [name]: projectFieldAt(record, name) }));
  return found && named(found[1].column, 'has a value that a project cannot have');
}

const named = (field: string, fault: string | undefined): string | undefined => fault && `"${field}" ${fault}`;

/** The format of pictures is judged by their first bytes only, as in earlier releases. */
function signInFault(text: string): string | undefined {
  const stored = objectIn(text);
  const settings = stored && parseSettings(text);
  if (settings === undefined || !settingsForm.Check(settings)) return 'are no sign-in settings';
  const { redirectUris, logoData, logoMediaType } = settings;
  if (redirectUris.some((uri) => redirectUriFault(uri) !== undefined)) return 'have a redirect URI that none can be';
  if ((logoData === null) !== (logoMediaType === null)) return 'have half a logo';
  if (logoData === null) return undefined;
  const bytes = Buffer.from(logoData, 'base64');
  return bytes.toString('base64') === logoData && bytes.length <= logoBytesMax ? undefined : 'have a logo that none can be';
}

const providerMembers = ['clientId', 'name', 'issuer', 'tenant', 'teamId', 'keyId'];

function providerFault(providerId: string, text: string): string | undefined {
  const settings = objectIn(text);
  if (
    settings === undefined ||
    !providerForm.Check(settings) ||
    Object.keys(settings).some((name) => !providerMembers.includes(name)) ||
    providerMembers.some((name) => !Object.hasOwn(settings, name))
  )
    return 'are no settings of an identity provider';
  const missing = missingField(providerId, settings);
  if (missing !== undefined) return `have no "${missing}", which ${providerId} needs`;
  const { issuer } = settings as unknown as IdentityProviderSettings;
  const isIssuer = issuer === null || (isTrustedAddress(issuer) && !/[?#]/.test(issuer));
  return isIssuer ? undefined : 'have no issuer that can be one';
}
