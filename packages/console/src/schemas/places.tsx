/** Where documents do not fit a schema, and how often. */
import type { SchemaPlace } from '../api/schemas.ts';
import { pathText } from '../state/pointer-text.ts';
import { formatNumber } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { plain } from '../ui/plain-text.ts';

interface PlacesProps {
  readonly items: readonly SchemaPlace[];
  /** What is counted; nothing where that is of no use. */
  readonly countName: string | undefined;
}

export function Places({ items, countName }: PlacesProps) {
  const s = useSchemaTexts();
  return (
    <div className="table-frame places">
      <table>
        <thead>
          <tr>
            <th scope="col">{s.where}</th>
            <th scope="col">{s.keyword}</th>
            <th scope="col">{s.place}</th>
            {countName !== undefined && (
              <th scope="col" className="number">
                {countName}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map(({ schemaLocation, path, keyword, count }) => (
            <tr key={`${schemaLocation} ${path}`}>
              <th scope="row" className="mono">
                <bdi>{pathText(path) || s.whole}</bdi>
              </th>
              <td data-label={s.keyword}>
                <code>{keyword}</code>
              </td>
              <td data-label={s.place}>
                <code className="hint">
                  <bdi>{plain(schemaLocation)}</bdi>
                </code>
              </td>
              {countName !== undefined && (
                <td className="number" data-label={countName}>
                  {formatNumber(count)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
