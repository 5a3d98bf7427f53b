/** Sets up an identity provider: what to enter there, what to copy from there, and a test. */
import {
  type IdentityProviderBody,
  keysOf,
  neededFields,
  otherProviderPrefix,
  type ProviderField,
  providerFields,
  type ReplaceIdentityProviderBody,
} from '@holdfast/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/http.ts';
import { type ProjectKey, providersQuery, signInQuery } from '../api/queries.ts';
import { loginPageQuery } from '../api/sign-in.ts';
import { textsOf } from '../texts/index.ts';
import type { SignInSettingsTexts } from '../texts/sign-in-settings-en.ts';
import { useAction } from '../ui/action.ts';
import { Button, CopyButton, Field, Notice } from '../ui/controls.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { plain } from '../ui/plain-text.ts';
import { toast } from '../ui/toasts.tsx';
import { providerNames } from './method-names.ts';

const [useSignInSettingsTexts] = textsOf('sign-in-settings');

/** Where a provider has the settings for this service. */
const consoles: Readonly<Record<string, string>> = {
  'google.com': 'https://console.cloud.google.com/apis/credentials',
  'apple.com': 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
  'github.com': 'https://github.com/settings/developers',
  'microsoft.com': 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
};

type Typed = Readonly<Partial<Record<ProviderField, string>>>;

const secretFields: readonly ProviderField[] = ['clientSecret', 'privateKey'];
const idPattern = /^oidc\.[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

interface IdentityProviderProps {
  readonly project: ProjectKey;
  /** Undefined for a custom one, whose id is entered here. */
  readonly id: string | undefined;
  readonly record: IdentityProviderBody | undefined;
  /** Whether the stored project settings offer it. */
  readonly isAllowed: boolean;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

export function IdentityProvider({ project, record, onClose, onSaved, ...props }: IdentityProviderProps) {
  const s = useSignInSettingsTexts();
  const queries = useQueryClient();
  const [slug, setSlug] = useState('');
  const [typed, setTyped] = useState<Typed>({});
  const [isRemoving, setRemoving] = useState(false);
  const id = props.id ?? `${otherProviderPrefix}${slug.trim()}`;
  const fields = keysOf(providerFields(id));
  const textOf = (field: ProviderField) => typed[field] ?? storedText(record, field);
  const isMissing = (field: ProviderField) => {
    const isNeeded = neededFields(id).includes(field);
    return isNeeded && textOf(field).trim() === '' && !(secretFields.includes(field) && record?.hasSecret === true);
  };
  const isNamed = props.id !== undefined || idPattern.test(id);
  const isReady = isNamed && !fields.some(isMissing);
  const { accountId } = project;
  const again = () => queries.invalidateQueries(providersQuery(accountId));
  const save = useAction(async () => {
    if (!isReady) return;
    const params = { accountId, providerId: id };
    await call('replaceIdentityProvider', { params, body: bodyOf(fields, textOf) });
    await Promise.all([again(), queries.invalidateQueries(signInQuery(project))]);
    onSaved(id);
    toast(s.saved);
    onClose();
  });
  const name = record?.name ?? providerNames[id] ?? s.other;
  return (
    <Dialog isOpen onClose={onClose} title={s.title(name)}>
      <Form action={save}>
        {props.id === undefined && (
          <TextField label={s.slug} hint={s.slugHint} value={slug} onChange={setSlug} spellCheck={false} />
        )}
        <Callback
          accountId={accountId}
          id={isNamed ? id : undefined}
          record={record}
          name={record?.name ?? providerNames[id]}
        />
        {fields.map((field) => (
          <SettingField
            key={field}
            field={field}
            value={textOf(field)}
            hasSecret={record?.hasSecret === true}
            onChange={(value) => setTyped({ ...typed, [field]: value })}
          />
        ))}
        <Fault error={save.fault} />
        {record !== undefined && <TrySignIn project={project} id={id} isAllowed={props.isAllowed} />}
        {record !== undefined && (
          <Button className="provider-remove" kind="danger" onClick={() => setRemoving(true)}>
            {s.remove}
          </Button>
        )}
        <FormEnd action={save} label={s.save} isReady={isReady} onCancel={onClose} />
      </Form>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={s.removeTitle(name)}
        text={s.removeText}
        action={s.remove}
        onConfirm={async () => {
          await call('deleteIdentityProvider', { params: { accountId, providerId: id } });
          await again();
          toast(s.removed);
          onClose();
        }}
      />
    </Dialog>
  );
}

function storedText(record: IdentityProviderBody | undefined, field: ProviderField): string {
  if (record === undefined || field === 'clientSecret' || field === 'privateKey') return '';
  return record[field] ?? '';
}

/** If the secret is left empty, the stored one stays. */
function bodyOf(fields: readonly ProviderField[], textOf: (field: ProviderField) => string): ReplaceIdentityProviderBody {
  const given = fields.flatMap((field) => (textOf(field).trim() === '' ? [] : [[field, textOf(field).trim()] as const]));
  return { clientId: '', ...Object.fromEntries(given) };
}

/** What to register at the provider. */
function Callback(props: {
  accountId: string;
  id: string | undefined;
  record: IdentityProviderBody | undefined;
  /** Undefined while it has none. */
  name: string | undefined;
}) {
  const { accountId, id, record, name } = props;
  const s = useSignInSettingsTexts();
  const { data: page } = useQuery(loginPageQuery);
  if (id === undefined) return <p className="hint callback">{s.registerLater}</p>;
  const address = record?.redirectUri ?? `${page}/federated/callback/${accountId}/${encodeURIComponent(id)}`;
  const providerConsole = consoles[id];
  return (
    <section className="callback">
      <p>
        {plain(s.register(name))}
        {providerConsole !== undefined && (
          <>
            {' '}
            <a href={providerConsole} target="_blank" rel="noreferrer">
              {plain(s.openConsole(name))}
            </a>
          </>
        )}
      </p>
      <div className="secret">
        <code>{address}</code>
        <CopyButton text={address} size="small" />
      </div>
    </section>
  );
}

interface SettingFieldProps {
  readonly field: ProviderField;
  readonly value: string;
  readonly hasSecret: boolean;
  readonly onChange: (value: string) => void;
}

function SettingField({ field, value, hasSecret, onChange }: SettingFieldProps) {
  const s = useSignInSettingsTexts();
  const isSecret = secretFields.includes(field);
  const hint = isSecret && hasSecret ? s.secretKept : hintOf(s, field);
  if (field === 'privateKey') {
    return (
      <Field label={s.fields[field]} hint={hint}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="mono"
            rows={4}
            value={value}
            spellCheck={false}
            placeholder="-----BEGIN PRIVATE KEY-----"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    );
  }
  return (
    <TextField
      label={s.fields[field]}
      hint={hint}
      value={value}
      onChange={onChange}
      spellCheck={false}
      {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
    />
  );
}

const hintOf = (s: SignInSettingsTexts, field: ProviderField): string | undefined => {
  const hints: Partial<Record<ProviderField, string>> = s.hints;
  return hints[field];
};

/** Sends the user to the provider as a player would be sent, and back to a page that shows who has signed in. */
function TrySignIn({ project, id, isAllowed }: { project: ProjectKey; id: string; isAllowed: boolean }) {
  const s = useSignInSettingsTexts();
  const { data: page } = useQuery(loginPageQuery);
  const { data: stored } = useQuery(signInQuery(project));
  const isOffered = stored?.enabled === true && stored.allowedIdps.includes(id);
  const query = new URLSearchParams({ purpose: 'account', client_id: `${project.accountId}.${project.slug}` });
  return (
    <Notice
      action={
        isOffered && (
          <a className="button" href={`${page}/with/${encodeURIComponent(id)}?${query}`} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden="true" />
            {s.test}
          </a>
        )
      }
    >
      {isOffered ? s.testText : isAllowed ? s.testSave : s.testAllow}
    </Notice>
  );
}
