import type { WebhookTexts } from '../texts/webhooks-en.ts';

/** The name of a type of events. */
export const eventName = ({ eventNames }: WebhookTexts, type: string): string =>
  (Object.hasOwn(eventNames, type) ? eventNames[type] : undefined) ?? type;
