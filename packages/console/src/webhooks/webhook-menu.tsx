/** What can be done with a webhook: test, change, switch on or off, a new secret, and deletion. */
import { useState } from 'react';
import { call } from '../api/http.ts';
import { forgetWebhook, type Webhook, type WebhookKey, webhookName } from '../api/webhooks.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd } from '../ui/form.tsx';
import { plain } from '../ui/plain-text.ts';
import { refusalText } from '../ui/refusal-text.ts';
import { RowMenu } from '../ui/row-menu.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';
import { EditWebhook, SecretOnce } from './edit-webhook.tsx';

const [useWebhookTexts] = textsOf('webhooks');

interface WebhookMenuProps {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly onDeleted?: () => Promise<unknown>;
}

export function WebhookMenu({ webhookKey, webhook, onDeleted }: WebhookMenuProps) {
  const t = useTexts();
  const w = useWebhookTexts();
  const [open, setOpen] = useState<'change' | 'rotate' | 'delete'>();
  const close = () => setOpen(undefined);
  const { enabled } = webhook;
  const name = webhookName(webhook);
  const say = (work: () => Promise<string>) => () =>
    void work().then(toast, (error: unknown) => toast(refusalText(t, error), { isFault: true }));
  const send = async () => {
    await call('testWebhook', { params: webhookKey });
    await forgetWebhook(webhookKey);
    return w.tested;
  };
  const set = async (next: boolean) => {
    await call('updateWebhook', { params: webhookKey, body: { enabled: next } });
    await forgetWebhook(webhookKey);
    return next ? w.enabled : w.disabled;
  };
  const turn = () =>
    void set(!enabled).then(
      (said) => toast(said, { action: undo(() => set(enabled)) }),
      (error: unknown) => toast(refusalText(t, error), { isFault: true }),
    );
  return (
    <>
      <RowMenu
        label={plain(w.actionsOf(name))}
        actions={[
          { label: w.test, run: say(send) },
          { label: w.change, run: () => setOpen('change') },
          { label: w.rotate, run: () => setOpen('rotate') },
          { label: enabled ? w.disable : w.enable, run: turn },
          { label: w.delete, run: () => setOpen('delete'), isDanger: true },
        ]}
      />
      {open === 'change' && <EditWebhook project={webhookKey} webhook={webhook} onClose={close} />}
      {open === 'rotate' && <Rotate webhookKey={webhookKey} onClose={close} />}
      <Confirm
        isOpen={open === 'delete'}
        onClose={close}
        title={w.deleteTitle(name)}
        text={w.deleteText}
        action={w.delete}
        onConfirm={async () => {
          await call('deleteWebhook', { params: webhookKey });
          toast(w.deleted);
          await onDeleted?.();
          await forgetWebhook(webhookKey);
        }}
      />
    </>
  );
}

/** Makes a new secret. The old one signs too for a day, unless it must end now. */
function Rotate({ webhookKey, onClose }: { webhookKey: WebhookKey; onClose: () => void }) {
  const w = useWebhookTexts();
  const [isNow, setNow] = useState(false);
  const [secret, setSecret] = useState<string>();
  const rotate = useAction(async () => {
    setSecret((await call('rotateWebhookSecret', { params: webhookKey, body: { now: isNow } })).secret);
  });
  if (secret !== undefined) return <SecretOnce secret={secret} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={w.rotateTitle} text={w.rotateText}>
      <Form action={rotate}>
        <label className="check field">
          <input type="checkbox" checked={isNow} onChange={({ target }) => setNow(target.checked)} />
          <span>
            {w.rotateNow}
            <small>{w.rotateNowHint}</small>
          </span>
        </label>
        <Fault error={rotate.fault} />
        <FormEnd action={rotate} label={w.rotate} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
