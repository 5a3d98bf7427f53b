/** The texts of the audit trail. They are separate, so that other pages do not load them. */
import type { AuditTexts } from './audit-en.ts';
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';

export type { AuditTexts };

const now = await loadTexts<AuditTexts>({
  en: async () => (await import('./audit-en.ts')).auditEn,
  de: async () => (await import('./audit-de.ts')).auditDe,
});

export function useAuditTexts(): AuditTexts {
  useLanguage();
  return now();
}
