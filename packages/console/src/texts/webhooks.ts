/** The texts of the webhooks pages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { WebhookTexts } from './webhooks-en.ts';

export type { WebhookTexts };

const now = await loadTexts<WebhookTexts>({
  en: async () => (await import('./webhooks-en.ts')).webhooksEn,
  de: async () => (await import('./webhooks-de.ts')).webhooksDe,
});

export function useWebhookTexts(): WebhookTexts {
  useLanguage();
  return now();
}

/** The name of a type of events. */
export const eventName = ({ eventNames }: WebhookTexts, type: string): string =>
  (Object.hasOwn(eventNames, type) ? eventNames[type] : undefined) ?? type;
