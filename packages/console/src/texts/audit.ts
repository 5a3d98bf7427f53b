/** The texts of the audit trail. They are separate, so that other pages do not load them. */
import { textsOf } from './index.ts';

export type { AuditTexts } from './audit-en.ts';
export const [useAuditTexts] = textsOf('audit');
