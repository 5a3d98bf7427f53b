/** A drawer over the right side of a page, which stays open below it. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTexts } from '../texts/index.ts';

interface SideDrawerProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SideDrawer({ title, lead, onClose, children }: SideDrawerProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="side-drawer" initialFocus={heading}>
          <header>
            <Base.Title ref={heading} tabIndex={-1}>
              {title}
            </Base.Title>
            {lead}
            <Base.Close className="button quiet icon-only" aria-label={t.common.close}>
              <X />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
