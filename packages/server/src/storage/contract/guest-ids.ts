/** The ids of guests, and the share of an account that guests may use. */
import { guestIdPrefix } from '@holdfast/contract';

const digits = 22;
const pattern = new RegExp(`^${guestIdPrefix}[0-9A-Za-z]{${digits}}$`);

/** Whether a player id is a guest's. No identity provider assigns one. */
export const isGuestId = (playerId: string): boolean => pattern.test(playerId);

/** The same for a stored id, as a `GLOB` pattern of SQLite and as a regular expression of PostgreSQL. */
export const storedGuestId = {
  sqlite: `"${guestIdPrefix}${'[0-9A-Za-z]'.repeat(digits)}"`,
  postgres: `^"${guestIdPrefix}[0-9A-Za-z]{${digits}}"$`,
} as const;

/** The part of an account's limit that all guests together may use; the rest is for players who sign in. */
export const partOfGuests = (limit: number): number => Math.floor(limit / 2);
