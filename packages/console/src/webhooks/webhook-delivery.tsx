/** A delivery of a webhook: what its last attempt has sent, and the head of the response. */
import { parseJson } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type Delivery, type DeliveryDetail, deliveryQuery, type WebhookKey } from '../api/webhooks.ts';
import { formatNumber, formatTime, textsOf } from '../texts/index.ts';
import { Json } from '../ui/code.tsx';
import { Button, CopyButton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { plain } from '../ui/plain-text.ts';
import { eventName } from './event-name.ts';
import { causeText, DeliveryResult, NextTry } from './webhook-state.tsx';

const [useWebhookTexts] = textsOf('webhooks');

interface DeliveryDialogProps {
  readonly webhookKey: WebhookKey;
  readonly delivery: Delivery;
  readonly onRetry: (deliveryId: string) => void;
  /** Of the last retry, if it was refused. */
  readonly fault: unknown;
  readonly onClose: () => void;
}

export function DeliveryDialog(props: DeliveryDialogProps) {
  const { webhookKey, delivery, onRetry, fault, onClose } = props;
  const { id, type, at } = delivery;
  const w = useWebhookTexts();
  const found = useQuery(deliveryQuery(webhookKey, id));
  const mayRetry = found.data !== undefined && found.data.status !== 'delivered';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={w.deliveryTitle(eventName(w, type), formatTime(at))}
      size="large"
      actions={
        mayRetry && (
          <Button icon={<RotateCw />} onClick={() => onRetry(id)}>
            {w.retry}
          </Button>
        )
      }
    >
      <Fault error={fault} />
      <Loaded query={found} rows={6}>
        {(detail) => <Detail detail={detail} />}
      </Loaded>
    </Dialog>
  );
}

function Detail({ detail }: { detail: DeliveryDetail }) {
  const w = useWebhookTexts();
  const { status, attempts, milliseconds, nextAt, request, response } = detail;
  return (
    <div className="webhook-delivery">
      <Facts>
        <Fact name={w.result}>
          <DeliveryResult result={detail} />
        </Fact>
        {status !== 'delivered' && request !== null && <Fact name={w.cause}>{causeText(w, detail)}</Fact>}
        <Fact name={w.attempts}>{formatNumber(attempts)}</Fact>
        {milliseconds !== null && <Fact name={w.duration}>{w.milliseconds(formatNumber(milliseconds))}</Fact>}
        {nextAt !== null && (
          <Fact name={w.next}>
            <NextTry at={nextAt} />
          </Fact>
        )}
      </Facts>
      <h3>{w.request}</h3>
      {request === null ? <p className="hint">{w.noAttempt}</p> : <Request request={request} />}
      {request !== null && (
        <>
          <h3>{w.response}</h3>
          {response === null ? <p className="hint">{w.noResponseText}</p> : <Response response={response} />}
        </>
      )}
    </div>
  );
}

function Request({ request: { host, headers, body } }: { request: NonNullable<DeliveryDetail['request']> }) {
  const w = useWebhookTexts();
  return (
    <>
      <HttpHead
        copy={w.copyHead.request}
        lines={[`POST ${host}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]}
      />
      {body === null ? <p className="hint">{w.noBody}</p> : <Json value={parseJson(body)} />}
    </>
  );
}

function Response({ response: { status, headers } }: { response: NonNullable<DeliveryDetail['response']> }) {
  const w = useWebhookTexts();
  return (
    <HttpHead
      copy={w.copyHead.response}
      lines={[String(status), ...headers.map(({ name, value }) => `${name}: ${value}`)]}
    />
  );
}

/** The lines of a head, which others may have chosen. */
const HttpHead = ({ lines, copy }: { lines: readonly string[]; copy: string }) => (
  <div className="http-head">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
    <pre className="code" tabIndex={0}>
      {lines.map(plain).join('\n')}
    </pre>
    <CopyButton text={lines.join('\n')} label={copy} size="small" />
  </div>
);
