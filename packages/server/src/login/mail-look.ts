/** The look of a project's mails, from that of its login page. The console previews mails with this too, so nothing here needs Node. */
import type { SignInSettings } from '@holdfast/contract';
import { carriesAddress } from '../common/text/shown-text.ts';
import type { MailBrand } from '../identity/built-in/mails/texts/mail-brand.ts';
import { paletteOf } from './look/colours.ts';

type Look = Pick<SignInSettings, 'logoData' | 'logoMediaType' | 'primaryColor' | 'surfaceColor' | 'bgColor' | 'mailWords'>;

/** Returns the look of mails of the project `name`; with its own words if the operator allows them. */
export function mailLookOf(name: string, settings: Look, allowsWords: boolean): MailBrand {
  const { logoData, logoMediaType, primaryColor, surfaceColor, bgColor, mailWords } = settings;
  const palette = paletteOf({ primary: primaryColor, surface: surfaceColor, background: bgColor }, 'light');
  const { bg: background, raised: surface, text, muted, hairline, primary } = palette;
  return {
    name,
    colours: { background, surface, text, muted, hairline, primary, onPrimary: palette['on-primary'] },
    logo: logoData === null || logoMediaType === null ? null : { data: logoData, mediaType: logoMediaType },
    // Also what another installation allowed, before an import.
    texts:
      allowsWords && mailWords && !Object.values(mailWords).some((each) => each !== null && carriesAddress(each))
        ? mailWords
        : null,
  };
}
