/** The further actions of a row, behind a button with three dots. */
import { Menu } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import './menu.css';

export interface RowAction {
  readonly label: string;
  readonly run: () => void;
  /** Why it cannot be done now; undefined if it can. Adjacent actions with the same reason show it once. */
  readonly obstacle?: string | undefined;
  /** Whether it takes something away: it stands apart, at the end. */
  readonly isDanger?: true;
}

export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  if (actions.length === 0) return null;
  return (
    <Menu.Root>
      <Menu.Trigger ref={setButton} className="button quiet icon-only row-menu" aria-label={label}>
        <Ellipsis />
      </Menu.Trigger>
      {/* Above every part of the page or the dialog, but still within. */}
      <Menu.Portal container={button?.closest<HTMLElement>('.dialog, #content') ?? null}>
        <Menu.Positioner positionMethod="fixed" sideOffset={4} align="end" className="menu-positioner">
          <Menu.Popup className="menu">
            {actions.map(({ label: name, run, obstacle, isDanger }, index) => {
              const isSaidBelow = obstacle === actions[index + 1]?.obstacle;
              return (
                <Menu.Item
                  key={name}
                  className="menu-item"
                  data-danger={isDanger}
                  aria-description={isSaidBelow ? obstacle : undefined}
                  disabled={obstacle !== undefined}
                  onClick={run}
                >
                  <span className="menu-text">
                    {name}
                    {obstacle !== undefined && !isSaidBelow && <small>{obstacle}</small>}
                  </span>
                </Menu.Item>
              );
            })}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
