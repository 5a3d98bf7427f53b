/** The rules of an environment while they are edited: in words or as JSON, over the same text. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openingSchemaQuery, schemaKeyName } from '../../api/schemas.ts';
import { Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { NoRules } from './no-rules.tsx';
import { openSchema, type SchemaOpening } from './open-schema.ts';
import { type EditViewProps, SchemaEditor } from './schema-editor.tsx';
import { SchemaHeader } from './schema-header.tsx';

interface FirstRulesProps extends EditViewProps {
  /** How somebody began the first rules; undefined if nobody did. */
  readonly begun: 'rules' | 'edit' | undefined;
  /** Called when somebody begins the first rules, and with undefined when they are deleted. */
  readonly onBegin: (view: 'rules' | 'edit' | undefined) => void;
}

export function EditView({ begun, onBegin, ...props }: FirstRulesProps) {
  const { schemaKey, bar } = props;
  /** The schema that the page was opened with was deleted. */
  const [isRemoved, setRemoved] = useState(false);
  const opening = useQuery(openingSchemaQuery('editing', schemaKey, openSchema));
  const nothing = { stored: null, draft: undefined, draftName: schemaKeyName(schemaKey) };
  const opened: SchemaOpening | undefined = isRemoved ? nothing : opening.data;
  const onRemoved = () => {
    setRemoved(true);
    onBegin(undefined);
  };
  if (opened !== undefined && (opened.stored !== null || opened.draft !== undefined || begun !== undefined)) {
    return <SchemaEditor {...props} opening={opened} isAdding={begun === 'rules'} onRemoved={onRemoved} />;
  }
  return (
    <div className="page wide">
      <SchemaHeader schemaKey={schemaKey} />
      {bar}
      <Fault error={opening.error} onRetry={() => void opening.refetch()} />
      {opening.isPending && <Skeleton rows={10} />}
      {opened !== undefined && <NoRules kind={schemaKey.kind} onStart={onBegin} />}
    </div>
  );
}
