/** The settings of a project's sign-in on the wire. @see docs/contract.md §8.5 */
import type { SignInSettings } from '@holdfast/contract';
import {
  changeSignInSettings,
  initialBeside,
  readSignInSettings,
  requireGuestsHeld,
  settingWarnings,
  withChange,
} from '../../management/sign-in-settings.ts';
import type { Clients } from '../../oauth/clients.ts';
import { readPublicAuthConfig } from '../../oauth/public-auth-config.ts';
import type { RejectedParameters } from '../../oauth/rejected-parameters.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Store } from '../../storage/store.ts';
import type { Handlers } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { jsonReply, type Reply } from '../replies/reply.ts';
import type { RecordOf } from '../wire/record-body.ts';

export interface SignInSettingsParts {
  readonly store: Pick<Store, 'readPlayerAuth' | 'changePlayerAuth' | 'isUpgradeFinished'>;
  /** The provider ids that an account has configured; undefined if people sign in at an outside issuer. */
  readonly configuredProviders: (accountId: string) => Promise<readonly string[] | undefined>;
  readonly rejectedParameters: Pick<RejectedParameters, 'of'>;
  readonly clients: Clients;
  /** Whether projects may have their own words in mails. */
  readonly allowsMailWords: boolean;
}

const configReplies = new WeakMap<RecordOf<'PublicAuthConfigBody'>, Reply<200, RecordOf<'PublicAuthConfigBody'>>>();

/** With a logo, the reply has up to 90 KB, which all requests share. */
function configReply(config: RecordOf<'PublicAuthConfigBody'>): Reply<200, RecordOf<'PublicAuthConfigBody'>> {
  const reply = configReplies.get(config) ?? jsonReply(200, config, neverKept);
  configReplies.set(config, reply);
  return reply;
}

/** The handlers of sign-in settings. */
export function signInSettingsHandlers(parts: SignInSettingsParts): Handlers {
  const { store, clients, configuredProviders, rejectedParameters, allowsMailWords } = parts;
  const reply = async (key: ProjectKey, settings: SignInSettings) => {
    const configured = await configuredProviders(key.accountId);
    const warnings = settingWarnings(settings, configured, rejectedParameters.of(key));
    return jsonReply(200, { ...settings, ...(warnings.length > 0 && { warnings }) }, neverKept);
  };
  return {
    readPublicAuthConfig: async ({ params }) => configReply(await readPublicAuthConfig(clients, params)),
    readPlayerAuthConfig: async ({ params }) => reply(params, await readSignInSettings(store, params)),
    replacePlayerAuthConfig: async ({ params, body, by }) => {
      await requireGuestsHeld(store, body);
      const change = (settings: SignInSettings) => withChange(initialBeside(settings), body, allowsMailWords);
      return reply(params, await changeSignInSettings(store, by(), params, change));
    },
    patchPlayerAuthConfig: async ({ params, body, by }) => {
      await requireGuestsHeld(store, body);
      const change = (settings: SignInSettings) => withChange(settings, body, allowsMailWords);
      return reply(params, await changeSignInSettings(store, by(), params, change));
    },
  };
}
