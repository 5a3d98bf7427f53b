/** Signatures of Standard Webhooks. @see https://www.standardwebhooks.com */
import { createHmac } from 'node:crypto';
import { secretPrefix, type WebhookTarget } from './target.ts';

const signatureOf = (secret: string, content: string): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/** Returns the headers of one try at `now`: the message's id, the time, and a signature by each secret that is valid then. */
export function signedHeaders(
  { secret, previous }: WebhookTarget,
  deliveryId: string,
  body: string,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const secrets = [secret, ...(previous !== undefined && previous.until > now ? [previous.secret] : [])];
  return {
    'content-type': 'application/json',
    'user-agent': 'holdfast',
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => signatureOf(each, `${deliveryId}.${timestamp}.${body}`)).join(' '),
  };
}
