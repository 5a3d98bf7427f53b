/** The path to the open part. */
import { pointerOf } from '@holdfast/json';
import type { Path } from '../fields/values.ts';
import { textsOf } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

const [useFormTexts] = textsOf('forms');

interface BreadcrumbProps {
  readonly path: Path;
  /** Of its segments. */
  readonly names: readonly string[];
  readonly onOpen: (path: Path) => void;
}

export function Breadcrumb({ path, names, onOpen }: BreadcrumbProps) {
  const f = useFormTexts();
  return (
    <nav className="form-crumbs" aria-label={f.path}>
      <ol>
        {[[], ...path.map((_, index) => path.slice(0, index + 1))].map((to, index) => {
          const name = index === 0 ? f.overview : plain(names[index - 1] ?? '');
          const key = index === 0 ? name : plain(path[index - 1] ?? '');
          return (
            <li key={pointerOf(to)}>
              {index === path.length ? (
                <h2 aria-current="page" title={name === key ? undefined : key}>
                  <bdi>{name}</bdi>
                </h2>
              ) : (
                <button type="button" className="link" onClick={() => onOpen(to)}>
                  <bdi>{name}</bdi>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
