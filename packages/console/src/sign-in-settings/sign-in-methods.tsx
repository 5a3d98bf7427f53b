/** Players' sign-in methods, and their identity providers. */
import { guestMethod, type IdentityProviderBody, keysOf, knownProviders, passwordMethod } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { type ProjectKey, providersQuery } from '../api/queries.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { IdentityProvider } from './identity-provider.tsx';
import { providerNames } from './method-names.ts';

const [useSignInSettingsTexts] = textsOf('sign-in-settings');

const presets = [guestMethod, passwordMethod, ...keysOf(knownProviders)];

interface MethodsProps {
  readonly project: ProjectKey;
  readonly allowed: readonly string[];
  readonly onChange: (allowed: readonly string[]) => void;
}

/** The provider being set up, which may be new and unnamed. */
interface Setting {
  readonly id: string | undefined;
  readonly record: IdentityProviderBody | undefined;
}

export function Methods({ project, allowed, onChange }: MethodsProps) {
  const t = useTexts();
  const s = useSignInSettingsTexts();
  const providers = useQuery(providersQuery(project.accountId));
  const isManager = may(useAuthority(), 'manage_access');
  const [setting, setSetting] = useState<Setting>();
  const configured = new Map(providers.data?.map((provider) => [provider.providerId, provider]));
  const ownMethods: Readonly<Record<string, string>> = {
    [guestMethod]: s.settings.guests,
    [passwordMethod]: t.signIn.password,
  };
  const all = [...new Set<string>([...presets, ...configured.keys(), ...allowed])];
  const nameOf = (id: string) => ownMethods[id] ?? configured.get(id)?.name ?? providerNames[id] ?? id;
  return (
    <fieldset className="card checks">
      <legend>{s.settings.methods}</legend>
      {all.map((id) => {
        const record = configured.get(id);
        const isProvider = ownMethods[id] === undefined && providers.data !== undefined;
        return (
          <div key={id} className="method">
            <label className="check">
              <input
                type="checkbox"
                checked={allowed.includes(id)}
                // A provider that is not set up can only be taken away.
                disabled={isProvider && record === undefined && !allowed.includes(id)}
                onChange={({ target }) => onChange(target.checked ? [...allowed, id] : allowed.filter((one) => one !== id))}
              />
              <span>{plain(nameOf(id))}</span>
            </label>
            {isProvider && record === undefined && <small className="method-state">{s.settings.notConfigured}</small>}
            {isProvider && isManager && (
              <Button size="small" aria-label={s.setUpOf(plain(nameOf(id)))} onClick={() => setSetting({ id, record })}>
                {record === undefined ? s.setUp : s.change}
              </Button>
            )}
          </div>
        );
      })}
      {isManager && (
        <Button size="small" icon={<Plus />} onClick={() => setSetting({ id: undefined, record: undefined })}>
          {s.addOther}
        </Button>
      )}
      {setting !== undefined && (
        <IdentityProvider
          project={project}
          {...setting}
          isAllowed={setting.id !== undefined && allowed.includes(setting.id)}
          onClose={() => setSetting(undefined)}
          onSaved={(id) => !allowed.includes(id) && onChange([...allowed, id])}
        />
      )}
    </fieldset>
  );
}
