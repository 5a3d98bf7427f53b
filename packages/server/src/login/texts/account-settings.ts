/** The texts of second factors and of the page *Your sign-in*, by language. */
import type { Language } from '../language.ts';
import { accountSettingsDe } from './account-settings-de.ts';
import { type AccountSettingsTexts, accountSettingsEn } from './account-settings-en.ts';

const catalogues: Readonly<Record<Language, AccountSettingsTexts>> = { en: accountSettingsEn, de: accountSettingsDe };

/** Returns the texts of a language. */
export const settingsTextsOf = (language: Language): AccountSettingsTexts => catalogues[language];
