/** Stands above a page whose session has ended. The page stays as it is. */
import { signIn } from '../api/session.ts';
import { useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function ExpiredDialog() {
  const t = useTexts();
  const again = () => void signIn(location.pathname + location.search);
  return (
    <Dialog
      isOpen
      onClose={() => undefined}
      isFirm
      title={t.session.expired}
      text={t.session.expiredText}
      actions={
        <Button kind="primary" onClick={again}>
          {t.session.signInAgain}
        </Button>
      }
    />
  );
}
