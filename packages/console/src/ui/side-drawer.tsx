/** A drawer beside a page, which stays usable; in narrow windows it covers the page. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../texts/index.ts';
import { Button } from './controls.tsx';
import { wideWindow } from './wide-window.ts';
import './side-drawer.css';

interface SideDrawerProps {
  readonly title: string;
  /** Below the title where the drawer covers the page. */
  readonly lead?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Whether the window has room for a page and a drawer. */
const useIsBeside = wideWindow(1101);

export function SideDrawer(props: SideDrawerProps) {
  return useIsBeside() ? <Beside {...props} /> : <Covering {...props} />;
}

function Beside({ title, onClose, children }: SideDrawerProps) {
  const t = useTexts();
  const id = useId();
  const drawer = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusInside(drawer, heading);
  return (
    <aside
      className="side-drawer"
      ref={drawer}
      aria-labelledby={id}
      onKeyDown={(event) => {
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target); // dialogs that it opens are not
        if (event.key === 'Escape' && isInside && !event.defaultPrevented) onClose();
      }}
    >
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" icon={<X />} aria-label={t.common.close} onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}

/** Moves the focus into the drawer, unless a dialog has it, and back once it is closed, unless it has gone elsewhere. */
function useFocusInside(drawer: RefObject<HTMLElement | null>, heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [before, inside] = [document.activeElement, drawer.current];
    if (!before?.closest('[role=dialog][data-open]')) heading.current?.focus({ preventScroll: true });
    return () => {
      if (inside?.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, [drawer, heading]);
}

function Covering({ title, lead, onClose, children }: SideDrawerProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="side-drawer covering" initialFocus={heading}>
          <header>
            <Base.Title ref={heading} tabIndex={-1}>
              {title}
            </Base.Title>
            <Base.Close className="button quiet icon-only" aria-label={t.common.close}>
              <X />
            </Base.Close>
          </header>
          {lead}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
