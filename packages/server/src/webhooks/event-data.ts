/** The JSON object of an event as it is sent. */
import type { ClaimedDelivery } from '../storage/contract/webhook-store.ts';

/** Returns the data of a delivery. */
export function eventData({ type, dataText, version }: ClaimedDelivery): string {
  if (type !== 'events.dropped') return dataText;
  return JSON.stringify({ ...(JSON.parse(dataText) as object), count: version });
}
