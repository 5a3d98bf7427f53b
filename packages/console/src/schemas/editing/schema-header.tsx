/** The title of a schema's page: the stored version and the actions. */

import { type SchemaKind, schemaKinds } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type SchemaKey, schemaQuery } from '../../api/schemas.ts';
import { EnvironmentSwitch } from '../../page/environment-switch.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Segments } from '../../ui/controls.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const [useSchemaTexts] = textsOf('schemas');

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
      kind="flags"
      title={t.nav.schemas}
      beside={isChanged && <span className="badge warn">{t.state.unsaved}</span>}
      lead={
        <>
          <KindSwitch kind={schemaKey.kind} />
          <EnvironmentSwitch />
          <span className="document-version">
            {data && <b>{t.common.version(data.version)}</b>}
            {data && <span className={`badge ${modeColour[data.mode]}`}>{s.modeWords[data.mode]}</span>}
            {data === null && <span className="badge">{s.none}</span>}
          </span>
        </>
      }
    >
      {children}
    </PageHeader>
  );
}

/** Whether the rules of the configuration are shown, or those of saves. */
function KindSwitch({ kind }: { kind: SchemaKind }) {
  const s = useSchemaTexts();
  const navigate = useNavigate();
  const { slug, env } = useStateKey();
  const { view } = useSearch({ from: '/shell/p/$slug/$env/schemas' });
  return (
    <Segments
      label={s.kind}
      value={kind}
      onChange={(next) =>
        void navigate({
          to: '/p/$slug/$env/schemas',
          params: { slug, env },
          search: { kind: next, ...(view && { view }) },
        })
      }
      options={schemaKinds.map((value) => ({ value, label: s.kinds[value] }))}
    />
  );
}

/** Of the badge of a mode. */
const modeColour = { off: '', report: 'warn', enforce: 'good' } as const;
