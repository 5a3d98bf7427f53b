/** Chooses environments that only owners and admins may change. */
import type { Environment } from '@holdfast/contract';
import { may, useAuthority } from '../api/authority.ts';
import { useTexts } from '../texts/index.ts';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';
import { Setting } from '../ui/setting.tsx';

interface ProtectedEnvironmentsProps {
  readonly chosen: readonly Environment[];
  readonly onChange: (chosen: readonly Environment[]) => void;
}

export function ProtectedEnvironments({ chosen, onChange }: ProtectedEnvironmentsProps) {
  const t = useTexts();
  const isManager = may(useAuthority(), 'manage_access');
  return (
    <Setting title={t.settings.protection} text={t.settings.protectionText}>
      <EnvironmentChecks
        label={t.settings.fields.protectedEnvironments}
        chosen={chosen}
        onChange={onChange}
        isOptional
        {...(!isManager && { offered: [] })}
      />
    </Setting>
  );
}
