/** The texts about what a role does not reach, in English. */
import type { Widened } from './widened.ts';

export const texts = {
  readOnly: 'You can view this page, but not change anything on it.',
  role: (role: string) => `Your role is “${role}”. Ask an admin or an owner to do it, or to give you another role.`,
  narrowed: (role: string, where: string) =>
    `Your role is “${role}” in ${where}, and this affects all environments. Ask somebody with access to all of them.`,
  /** Before somebody gives a role without all environments. */
  lastOwner: (name: string) => `${name} is the only owner. Make another member an owner first.`,
  lost: {
    admin: 'Without access to all environments, an admin can’t change settings, keys, members or rules, or block players.',
    support: 'Without access to all environments, support can’t block, sign out or erase players.',
  },
};

export type RoleLimitTexts = Widened<typeof texts>;
