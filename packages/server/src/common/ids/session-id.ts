/** The name of a session in access tokens. */
import { hash } from 'node:crypto';

/**
 * Returns the name of a session, `sid` in its access tokens: 22 characters that stay the same while its refresh-token family lives. The
 * family id is 128 random bits, and cannot be found from this name: whoever has it can end the family.
 */
export const sessionIdOf = (familyId: string): string => hash('sha256', `sid ${familyId}`, 'base64url').slice(0, 22);
