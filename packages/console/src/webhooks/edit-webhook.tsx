/** Makes or changes a webhook: its receiver, its events, and its secret, shown once. */
import {
  type CreateWebhookBody,
  type Environment,
  environments,
  keysOf,
  type WebhookEvent,
  webhookDescriptionCharactersMax,
  webhookEvents,
  webhookUrlCharactersMax,
} from '@holdfast/contract';
import { useState } from 'react';
import { call } from '../api/http.ts';
import type { ProjectKey } from '../api/queries.ts';
import { forgetWebhook, type Webhook, webhookName } from '../api/webhooks.ts';
import { useTexts } from '../texts/index.ts';
import { eventName, useWebhookTexts } from '../texts/webhooks.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { toast } from '../ui/toasts.tsx';

interface EditWebhookProps {
  readonly project: ProjectKey;
  /** Undefined for a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

export function EditWebhook({ project, webhook, onClose }: EditWebhookProps) {
  const t = useTexts();
  const w = useWebhookTexts();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? ['public_state.changed']);
  const [chosen, setChosen] = useState<readonly Environment[]>(webhook?.environments ?? environments);
  const [secret, setSecret] = useState<string>();
  const isReady = (webhook !== undefined || url.trim() !== '') && events.length > 0 && chosen.length > 0;
  const save = useAction(async () => {
    if (!isReady) return;
    const everywhere = chosen.length === environments.length;
    const body: Omit<CreateWebhookBody, 'url'> = {
      description: description.trim(),
      events: [...events],
      environments: everywhere ? null : [...chosen],
    };
    const { accountId, slug } = project;
    if (webhook === undefined) {
      const made = await call('createWebhook', { params: { accountId, slug }, body: { ...body, url: url.trim() } });
      setSecret(made.secret);
      await forgetWebhook({ accountId, slug, webhookId: made.id });
      return;
    }
    const params = { accountId, slug, webhookId: webhook.id };
    await call('updateWebhook', { params, body: { ...body, ...(url.trim() !== '' && { url: url.trim() }) } });
    await forgetWebhook(params);
    toast(w.saved);
    onClose();
  });
  if (secret !== undefined) return <SecretOnce secret={secret} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={webhook === undefined ? w.newTitle : w.changeTitle(webhookName(webhook))}>
      <Form action={save}>
        <TextField
          label={w.url}
          hint={webhook === undefined ? w.urlHint : w.urlKept(webhook.host)}
          value={url}
          onChange={setUrl}
          type="url"
          placeholder="https://"
          maxLength={webhookUrlCharactersMax}
          spellCheck={false}
          required={webhook === undefined}
        />
        <TextField
          label={w.description}
          hint={w.descriptionHint}
          value={description}
          onChange={setDescription}
          maxLength={webhookDescriptionCharactersMax}
        />
        <EventChecks chosen={events} onChange={setEvents} />
        <EnvironmentChecks label={w.environments} chosen={chosen} onChange={setChosen} />
        <Fault error={save.fault} />
        <FormEnd
          action={save}
          label={webhook === undefined ? t.common.create : t.common.save}
          isReady={isReady}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

const groupOf = (type: WebhookEvent): string => type.split('.')[0] ?? '';

interface EventChecksProps {
  readonly chosen: readonly WebhookEvent[];
  readonly onChange: (chosen: readonly WebhookEvent[]) => void;
}

/** Chooses among the types of events, by what they are about. */
function EventChecks({ chosen, onChange }: EventChecksProps) {
  const w = useWebhookTexts();
  const all = keysOf(webhookEvents);
  return (
    <fieldset className="field checks">
      <legend>{w.events}</legend>
      <div className="webhook-events">
        {keysOf(w.eventGroups).map((group) => (
          <fieldset key={group} className="checks">
            <legend className="hint">{w.eventGroups[group]}</legend>
            {all
              .filter((type) => groupOf(type) === group)
              .map((type) => (
                <label key={type} className="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(type)}
                    onChange={({ target }) =>
                      onChange(all.filter((one) => (one === type ? target.checked : chosen.includes(one))))
                    }
                  />
                  {eventName(w, type)}
                </label>
              ))}
          </fieldset>
        ))}
      </div>
      {chosen.length === 0 && <p className="fault">{w.chooseEvent}</p>}
    </fieldset>
  );
}

/** The secret of a webhook, which is shown only once. */
export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  const w = useWebhookTexts();
  return (
    <ShownOnce
      title={w.shownOnce}
      text={w.shownOnceText}
      secrets={[{ name: w.secret, text: secret }]}
      done={w.done}
      onClose={onClose}
    />
  );
}
