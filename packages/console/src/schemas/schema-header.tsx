/** The title of a schema's page: the stored version and the actions. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type SchemaKey, schemaQuery } from '../api/schemas.ts';
import { EnvironmentSwitch } from '../shell/environment-switch.tsx';
import { useTexts } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { PageHeader } from '../ui/controls.tsx';

interface SchemaHeaderProps {
  readonly schemaKey: SchemaKey;
  /** Whether there are unsaved changes. */
  readonly isChanged?: boolean;
  readonly children?: ReactNode;
}

export function SchemaHeader({ schemaKey, isChanged = false, children }: SchemaHeaderProps) {
  const t = useTexts();
  const s = useSchemaTexts();
  const { data } = useQuery(schemaQuery(schemaKey));
  return (
    <PageHeader
      title={t.nav.schemas}
      lead={
        <span className="state-head rules-head">
          <EnvironmentSwitch />
          {data && <b>{t.common.version(data.version)}</b>}
          {isChanged ? (
            <span className="badge warn">{t.state.unsaved}</span>
          ) : (
            data && <span className={`badge ${modeColour[data.mode]}`}>{s.modeWords[data.mode]}</span>
          )}
          {data === null && !isChanged && <span className="badge">{s.none}</span>}
        </span>
      }
    >
      {children}
    </PageHeader>
  );
}

/** Of the badge of a mode. */
const modeColour = { off: '', report: 'warn', enforce: 'good' } as const;
