/** The name of a session in access tokens. */
import { hash } from 'node:crypto';

/**
 * Returns the name of a session, `sid` in its access tokens: 22 characters that stay the same as long as its refresh-token family lives. The
 * id of the family is 128 random bits, and nobody finds it from this name: who has it can end the family.
 */
export const sessionIdOf = (familyId: string): string => hash('sha256', `sid ${familyId}`, 'base64url').slice(0, 22);
