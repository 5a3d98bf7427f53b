/** The choice between a document as a form and as JSON. */
import { textsOf } from '../texts/index.ts';
import { Segments } from '../ui/controls.tsx';
import type { DocumentView } from './document-view.ts';

const [useFormTexts] = textsOf('forms');

interface ViewChoiceProps {
  readonly view: DocumentView;
  /** The name of the form, where it only shows values. */
  readonly form?: string;
  readonly onView: (view: DocumentView) => void;
}

export function ViewChoice({ view, form, onView }: ViewChoiceProps) {
  const f = useFormTexts();
  return (
    <Segments
      label={f.view}
      value={view}
      onChange={onView}
      options={[
        { value: 'form', label: form ?? f.form },
        { value: 'json', label: 'JSON' },
      ]}
    />
  );
}
