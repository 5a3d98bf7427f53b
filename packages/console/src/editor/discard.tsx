/** The button that discards unsaved changes. */
import { useState } from 'react';
import { useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';

/** What is edited: a document, or its rules. */
export interface Discardable {
  readonly isChanged: boolean;
  discard(): void;
}

/** Discards the typed text, after a question. */
export function Discard({ edited }: { edited: Discardable }) {
  const t = useTexts();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {/* It has its place from the beginning: the first key moves nothing. */}
      <Button
        className={edited.isChanged ? 'discard' : 'discard unseen'}
        disabled={!edited.isChanged}
        onClick={() => setAsking(true)}
      >
        {t.state.discardShort}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t.state.discard}
        text={t.state.discardText}
        action={t.state.discard}
        onConfirm={async () => edited.discard()}
      />
    </>
  );
}
