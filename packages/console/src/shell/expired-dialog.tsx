/** Covers a page whose session has ended. The page stays as it is. */
import { signIn } from '../api/session.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';

export function ExpiredDialog() {
  const t = useTexts();
  const again = useAction(() => signIn(location.pathname + location.search));
  return (
    <Dialog
      isOpen
      onClose={undefined}
      isFirm
      title={t.session.expired}
      text={t.session.expiredText}
      actions={
        <Button kind="primary" isBusy={again.isBusy} onClick={again.run}>
          {t.session.signInAgain}
        </Button>
      }
    >
      <Fault error={again.fault} />
    </Dialog>
  );
}
