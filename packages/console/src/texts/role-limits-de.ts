/** The texts about what a role does not reach, in German. */
import type { RoleLimitTexts } from './role-limits-en.ts';

export const texts: RoleLimitTexts = {
  readOnly: 'Sie können diese Seite ansehen, aber hier nichts ändern.',
  role: (role) =>
    `Ihre Rolle ist „${role}“. Bitten Sie einen Admin oder Eigentümer, es zu tun oder Ihnen eine andere Rolle zu geben.`,
  narrowed: (role, where) =>
    `Ihre Rolle ist „${role}“ in ${where}, und das betrifft alle Umgebungen. Bitten Sie jemanden mit Zugriff auf alle.`,
  lastOwner: (name) => `${name} ist der einzige Eigentümer. Machen Sie zuerst ein anderes Mitglied zum Eigentümer.`,
  lost: {
    admin:
      'Ohne Zugriff auf alle Umgebungen können Admins weder Einstellungen, Schlüssel, Mitglieder oder Regeln ändern noch Spieler sperren.',
    support: 'Ohne Zugriff auf alle Umgebungen kann der Support Spieler nicht sperren, abmelden oder löschen.',
  },
};
