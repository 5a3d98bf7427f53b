/** The ids of guests, and what guests may use of an account. */
import { guestIdPrefix } from '@holdfast/contract';

const digits = 22;
const pattern = new RegExp(`^${guestIdPrefix}[0-9A-Za-z]{${digits}}$`);

/** Whether a player id is that of a guest. No identity provider gives one. */
export const isGuestId = (playerId: string): boolean => pattern.test(playerId);

/** The same for an id as it is stored, as a pattern of the `GLOB` of SQLite and as a regular expression of PostgreSQL. */
export const storedGuestId = {
  sqlite: `"${guestIdPrefix}${'[0-9A-Za-z]'.repeat(digits)}"`,
  postgres: `^"${guestIdPrefix}[0-9A-Za-z]{${digits}}"$`,
} as const;

/** Of a limit of an account, guests together may use so much: what is left is for those who sign in. */
export const partOfGuests = (limit: number): number => Math.floor(limit / 2);
