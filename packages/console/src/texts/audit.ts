/** The texts of the audit trail. They are separate, so that other pages do not load them. */
import type { AuditTexts } from './audit-en.ts';
import { textHook } from './index.ts';

export type { AuditTexts };

export const useAuditTexts = await textHook<AuditTexts>({
  en: async () => (await import('./audit-en.ts')).auditEn,
  de: async () => (await import('./audit-de.ts')).auditDe,
});
