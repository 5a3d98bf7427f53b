/** Explains the patterns of schemas in words, since messages for people contain no regular expressions. */
import {
  accountIdPattern,
  apiKeyIdPattern,
  identityProviderIdPattern,
  invitationIdPattern,
  memberIdPattern,
  proposalIdPattern,
  serviceAccountIdPattern,
  serviceAccountSecretIdPattern,
  slugPattern,
  userIdPattern,
  webhookDeliveryIdPattern,
  webhookIdPattern,
} from '../identifiers.ts';

export const colourPattern = '^#[0-9a-fA-F]{6}$';
export const allowedIdpPattern =
  '^(?:password|anonymous|google\\.com|apple\\.com|github\\.com|microsoft\\.com|oidc\\.[A-Za-z0-9._-]{1,64})$';
export const tenantPattern = '^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$';
export const appleIdPattern = '^[A-Z0-9]{10}$';
export const codeChallengePattern = '^[A-Za-z0-9_-]{43}$';
export const cursorPattern = '^[A-Za-z0-9_-]+$';

const providers = 'google.com, apple.com, github.com, microsoft.com, or oidc. and a name, such as oidc.studio';

const meanings: ReadonlyMap<string, string> = new Map([
  [colourPattern, 'a colour of six hexadecimal digits, such as #1a2b3c'],
  [allowedIdpPattern, `password, anonymous, ${providers}`],
  [identityProviderIdPattern.source, providers],
  [tenantPattern, 'common, organizations, consumers, or the id or domain of a directory'],
  [appleIdPattern, 'ten capital letters and digits'],
  [codeChallengePattern, '43 characters of base64url: the SHA-256 of the code verifier'],
  [cursorPattern, 'a cursor as a page of this list returned it'],
  [slugPattern.source, 'lower-case letters and digits, with single hyphens or underscores between them, such as my-game'],
  [accountIdPattern.source, 'an account id: acc_ and letters and digits'],
  [apiKeyIdPattern.source, 'the id of an API key: key_ and letters and digits'],
  [memberIdPattern.source, 'the id of a member: mem_ and letters and digits'],
  [invitationIdPattern.source, 'the id of an invitation: inv_ and letters and digits'],
  [proposalIdPattern.source, 'the id of a proposal: prop_ and letters and digits'],
  [serviceAccountIdPattern.source, 'the id of a service account: sa_ and letters and digits'],
  [serviceAccountSecretIdPattern.source, 'the id of a secret: sec_ and letters and digits'],
  [webhookIdPattern.source, 'the id of a webhook: wh_ and letters and digits'],
  [webhookDeliveryIdPattern.source, 'the id of a delivery: msg_ and letters and digits'],
  [userIdPattern.source, 'the id of a user: usr_ and letters and digits'],
]);

/** Returns the end of a sentence about text that matches the pattern; undefined for unknown patterns. */
export const meaningOfPattern = (pattern: string): string | undefined => meanings.get(pattern);
