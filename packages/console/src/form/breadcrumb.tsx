/** The path to the open part. */
import { pointerOf } from '@holdfast/json';
import { useFormTexts } from '../texts/forms.ts';
import { plain } from '../ui/plain-text.ts';
import { type Hints, titleOf } from './hints.ts';
import type { Path } from './values.ts';

interface BreadcrumbProps {
  readonly path: Path;
  readonly hints: Hints;
  readonly onOpen: (path: Path) => void;
}

export function Breadcrumb({ path, hints, onOpen }: BreadcrumbProps) {
  const t = useFormTexts();
  const nameOf = (segment: string, index: number) =>
    (index === 0 && titleOf(hints.below(hints.root, segment, false))) || segment;
  return (
    <nav className="form-crumbs" aria-label={t.path}>
      <ol>
        {[[], ...path.map((_, index) => path.slice(0, index + 1))].map((to, index) => {
          const name = index === 0 ? t.overview : plain(nameOf(path[index - 1] ?? '', index - 1));
          return (
            <li key={pointerOf(to)}>
              {index === path.length ? (
                <h2 aria-current="page">
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
