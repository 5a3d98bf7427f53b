/** Promotes a schema to another environment. */
import { environments } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { environmentOf } from '../../api/environments.ts';
import { forgetSchema, openingSchemaQuery, readSchemaNow, type SchemaKey, type SchemaRecord } from '../../api/schemas.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Field, Skeleton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { SaveSchema } from './save-schema.tsx';

const [usePromoteTexts] = textsOf('promote');
const [useSchemaTexts] = textsOf('schemas');

interface PromoteSchemaProps {
  readonly schemaKey: SchemaKey;
  readonly source: SchemaRecord;
  readonly onClose: () => void;
}

export function PromoteSchema({ schemaKey, source, onClose }: PromoteSchemaProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const s = useSchemaTexts();
  const others = environments.filter((env) => env !== schemaKey.env);
  const next = environments[environments.indexOf(schemaKey.env) + 1];
  const [to, setTo] = useState(next ?? others[0] ?? schemaKey.env);
  const target = useMemo(() => ({ ...schemaKey, env: to }), [schemaKey, to]);
  const there = useQuery(openingSchemaQuery('writing', target, readSchemaNow));
  const title = s.promoteTitle(t.environments[schemaKey.env]);
  const choice = (
    <Field label={s.to}>
      {(attributes) => (
        <select {...attributes} value={to} onChange={(event) => setTo(environmentOf(event.target.value))}>
          {others.map((env) => (
            <option key={env} value={env}>
              {t.environments[env]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  if (there.data === undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={title} size="full">
        {choice}
        <Fault error={there.error} onRetry={() => void there.refetch()} />
        {there.isPending && <Skeleton rows={6} />}
      </Dialog>
    );
  }
  return (
    <SaveSchema
      key={to}
      schemaKey={target}
      base={there.data}
      next={source.schema}
      mode={there.data?.mode ?? 'report'}
      title={title}
      isPromoted
      action={p.promote(t.environments[to])}
      comment={s.promoteComment(t.environments[schemaKey.env], source.version)}
      done={({ version }) => s.promoted(t.environments[to], version)}
      onClose={onClose}
      onSaved={() => {
        onClose();
        void forgetSchema(target);
      }}
    >
      {choice}
    </SaveSchema>
  );
}
