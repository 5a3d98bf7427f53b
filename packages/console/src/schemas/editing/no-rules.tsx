/** A page of rules where there are none. */
import type { SchemaKind } from '@holdfast/contract';
import { Braces } from 'lucide-react';
import { textsOf } from '../../texts/index.ts';
import { Button, EmptyState } from '../../ui/controls.tsx';

const [useSchemaTexts] = textsOf('schemas');

interface NoRulesProps {
  readonly kind: SchemaKind;
  /** Called to add the first rule, in words or as JSON. */
  readonly onStart: (view: 'rules' | 'edit') => void;
}

export function NoRules({ kind, onStart }: NoRulesProps) {
  const s = useSchemaTexts();
  const actions = (
    <div className="empty-actions">
      <Button kind="primary" onClick={() => onStart('rules')}>
        {s.addRule}
      </Button>
      <Button onClick={() => onStart('edit')}>{s.writeJson}</Button>
    </div>
  );
  return (
    <EmptyState icon={<Braces />} title={s.empty[kind]} action={actions}>
      {s.emptyText[kind]}
    </EmptyState>
  );
}
