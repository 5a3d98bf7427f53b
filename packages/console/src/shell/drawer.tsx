/** The sidebar of narrow windows. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.ts';

export function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const t = useTexts();
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="drawer">
          <Base.Title className="hidden-text">{t.nav.menu}</Base.Title>
          <Base.Close className="button quiet icon-only drawer-close" aria-label={t.common.close}>
            <X />
          </Base.Close>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
