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
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { toast } from '../ui/toasts.tsx';
import { eventName } from './event-name.ts';

const [useWebhookTexts] = textsOf('webhooks');

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
        <EnvironmentChecks label={w.environments} chosen={chosen} onChange={setChosen} />
        <EventChecks chosen={events} onChange={setEvents} />
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
  /** Ticks some events, or none of them. */
  const set = (some: readonly WebhookEvent[], isOn: boolean) =>
    onChange(all.filter((one) => (some.includes(one) ? isOn : chosen.includes(one))));
  return (
    <fieldset className="field checks">
      <legend>{w.events}</legend>
      <div className="webhook-events">
        {keysOf(w.eventGroups).map((group) => {
          const events = all.filter((type) => groupOf(type) === group);
          const [only] = events;
          return events.length === 1 && only !== undefined ? (
            <EventCheck key={group} type={only} isOn={chosen.includes(only)} onSet={set} />
          ) : (
            <EventGroup key={group} name={w.eventGroups[group]} events={events} chosen={chosen} onSet={set} />
          );
        })}
      </div>
      {chosen.length === 0 && <p className="fault">{w.chooseEvent}</p>}
    </fieldset>
  );
}

type OnSet = (some: readonly WebhookEvent[], isOn: boolean) => void;

interface EventGroupProps {
  readonly name: string;
  readonly events: readonly WebhookEvent[];
  readonly chosen: readonly WebhookEvent[];
  readonly onSet: OnSet;
}

/** All events of a group with one tick; unfolded, each of them. */
function EventGroup({ name, events, chosen, onSet }: EventGroupProps) {
  const w = useWebhookTexts();
  const count = events.filter((type) => chosen.includes(type)).length;
  const [isAll, isSome] = [count === events.length, count > 0 && count < events.length];
  // At first, only what a single tick cannot show is unfolded.
  const [isOpen, setOpen] = useState(isSome);
  return (
    <div className="webhook-group">
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          ref={(input) => {
            if (input !== null) input.indeterminate = isSome;
          }}
          onChange={() => onSet(events, !isAll)}
        />
        {name}
      </label>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="hidden-text">{name}: </span>
          {w.eventsOf(count, events.length)}
        </summary>
        {events.map((type) => (
          <EventCheck key={type} type={type} isOn={chosen.includes(type)} onSet={onSet} />
        ))}
      </details>
    </div>
  );
}

function EventCheck({ type, isOn, onSet }: { type: WebhookEvent; isOn: boolean; onSet: OnSet }) {
  const w = useWebhookTexts();
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onSet([type], target.checked)} />
      {eventName(w, type)}
    </label>
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
