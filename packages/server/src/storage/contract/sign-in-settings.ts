/** The sign-in settings of a project, which the store holds as text. */
import { type SignInSettings, userStateHistoryDefault } from '@holdfast/contract';

/** The settings before they are first written. */
export const initialSettings: SignInSettings = {
  enabled: false,
  redirectUris: [],
  allowedIdps: [],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
  userStateHistory: userStateHistoryDefault,
  sessionIdleDays: null,
};

const { userStateHistory, sessionIdleDays } = initialSettings;

/** A rejected sign-in parameter, and when it was last sent, in milliseconds since the epoch. */
export interface SeenParameter {
  readonly kind: 'redirect_uri' | 'scope';
  readonly value: string;
  readonly at: number;
}

/** Returns the settings in a stored text; null: none. Those of an earlier release get the defaults of later settings. */
export const parseSettings = (text: string | null): SignInSettings =>
  text === null ? initialSettings : { userStateHistory, sessionIdleDays, ...JSON.parse(text) };
