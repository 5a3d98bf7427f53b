/** Sign-in settings of a project: redirect URIs, identity providers, and the look of its page. */
import { type EndUserAuthConfigBody, logoBytesMax } from '@holdfast/contract';
import { quoted, Refusal } from '../common/refusal.ts';
import { redirectUriFault } from './redirect-uri.ts';

/**
 * Returns the settings without members that are none of theirs. Throws `validation_error` naming the member that breaks a rule
 * which the schema cannot say.
 */
export function checkEndUserAuthConfig(config: EndUserAuthConfigBody): EndUserAuthConfigBody {
  const { enabled, redirectUris, allowedIdps, logoData, logoMediaType, primaryColor, surfaceColor, bgColor } = config;
  for (const [index, uri] of redirectUris.entries()) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) throw invalid(`redirectUris/${index}`, `the redirect URI ${quoted(uri)} ${fault}`);
  }
  checkLogo(logoData, logoMediaType);
  return { enabled, redirectUris, allowedIdps, logoData, logoMediaType, primaryColor, surfaceColor, bgColor };
}

type LogoMediaType = NonNullable<EndUserAuthConfigBody['logoMediaType']>;

/** How the bytes of each media type begin; null stands for any byte. */
const beginnings: Readonly<Record<LogoMediaType, readonly (number | null)[]>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/webp': [...Buffer.from('RIFF'), null, null, null, null, ...Buffer.from('WEBP')],
};

function checkLogo(data: string | null, mediaType: LogoMediaType | null): void {
  if (data === null && mediaType === null) return;
  if (data === null) throw invalid('logoMediaType', 'is given without logoData');
  if (mediaType === null) throw invalid('logoData', 'is given without logoMediaType');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalid('logoData', 'is not base64 (RFC 4648 §4)');
  if (bytes.length > logoBytesMax) throw invalid('logoData', `has more than ${logoBytesMax} bytes`);
  if (!beginnings[mediaType].every((byte, index) => byte === null || bytes[index] === byte)) {
    throw invalid('logoData', `is not ${mediaType}`);
  }
}

const invalid = (member: string, fault: string): Refusal => new Refusal('validation_error', `"/${member}" ${fault}`);
