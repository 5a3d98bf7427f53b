/** The texts of the webhooks pages. They are separate, so that other pages do not load them. */
import { textHook } from './index.ts';
import type { WebhookTexts } from './webhooks-en.ts';

export type { WebhookTexts };

export const useWebhookTexts = await textHook<WebhookTexts>({
  en: async () => (await import('./webhooks-en.ts')).webhooksEn,
  de: async () => (await import('./webhooks-de.ts')).webhooksDe,
});

/** The name of a type of events. */
export const eventName = ({ eventNames }: WebhookTexts, type: string): string =>
  (Object.hasOwn(eventNames, type) ? eventNames[type] : undefined) ?? type;
