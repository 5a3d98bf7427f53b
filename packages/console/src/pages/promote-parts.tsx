/** What differs, part by part, and which of it is to be carried over. */
import type { Part } from '../state/parts.ts';
import { useTexts } from '../texts/index.ts';

interface PartsProps {
  readonly parts: readonly Part[];
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

const partsShownMax = 500;

export function Parts({ parts, left, onChange }: PartsProps) {
  const t = useTexts();
  const toggle = (path: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(path);
    else next.add(path);
    onChange(next);
  };
  const all = parts.length;
  return (
    <fieldset className="card parts">
      <legend className="hidden-text">{t.promote.parts}</legend>
      <label className="part part-all">
        <input
          type="checkbox"
          checked={left.size === 0}
          ref={(box) => {
            if (box) box.indeterminate = left.size > 0 && left.size < all;
          }}
          onChange={(event) => onChange(event.target.checked ? new Set() : new Set(parts.map(({ path }) => path)))}
        />
        <b>{t.promote.parts}</b>
        <small>{t.promote.selected(all - left.size, all)}</small>
      </label>
      <div className="parts-list">
        {parts.slice(0, partsShownMax).map(({ path, kind }) => (
          <label key={path} className="part">
            <input type="checkbox" checked={!left.has(path)} onChange={(event) => toggle(path, event.target.checked)} />
            <bdi className="part-path" title={path}>
              {path === '' ? '{ }' : path.slice(1).replaceAll('/', ' › ').replaceAll('~1', '/').replaceAll('~0', '~')}
            </bdi>
            <span className={`badge ${{ add: 'good', remove: 'bad', replace: 'warn' }[kind]}`}>{t.promote[kind]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
