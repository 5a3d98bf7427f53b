/** A list of commands below a field that filters them: the palette, and the choice of a project. */
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../texts/index.ts';

export interface Command {
  /** The heading above it. Commands of a group follow each other. */
  readonly group: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly hint?: string;
  /** Whether it leads to where the user is; the first of the others is then active. */
  readonly isCurrent?: boolean;
  readonly run: () => void;
}

interface CommandListProps {
  readonly commands: readonly Command[];
  readonly title: string;
  readonly placeholder: string;
  readonly onText?: (text: string) => void;
  /** Called before a command runs. */
  readonly onRun: () => void;
}

export function CommandList({ commands, title, placeholder, onText, onRun }: CommandListProps) {
  const t = useTexts();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(commands[0]?.isCurrent && commands.length > 1 ? 1 : 0);
  const list = useRef<HTMLDivElement>(null);
  const wanted = text.trim().toLocaleLowerCase();
  const found = commands.filter(({ label, hint = '' }) => `${label} ${hint}`.toLocaleLowerCase().includes(wanted));
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);
  const run = (command: Command | undefined) => {
    if (command !== undefined) onRun();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((index) => (index + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(found[active]);
    }
  };
  return (
    <>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onText?.(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={title} ref={list}>
        {found.map((command, index) => (
          <Fragment key={`${command.group} ${command.label} ${command.hint ?? ''}`}>
            {command.group !== found[index - 1]?.group && (
              <div className="palette-group" role="presentation">
                {command.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-current={command.isCurrent || undefined}
              className="palette-item"
              onPointerMove={() => setActive(index)}
              onClick={() => run(command)}
            >
              {command.icon}
              <bdi>{command.label}</bdi>
              {command.hint && <small>{command.hint}</small>}
            </div>
          </Fragment>
        ))}
      </div>
      {found.length === 0 && <p className="palette-empty">{t.palette.empty}</p>}
    </>
  );
}
