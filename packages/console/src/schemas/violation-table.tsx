/** Where documents violate a schema, and how often. */
import type { SchemaViolationCount } from '../api/schemas.ts';
import { pathText } from '../state/pointer-text.ts';
import { formatNumber } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { plain } from '../ui/plain-text.ts';
import { type Column, Table } from '../ui/table.tsx';

interface ViolationTableProps {
  readonly items: readonly SchemaViolationCount[];
  /** The unit that is counted; left out if useless. */
  readonly countName: string | undefined;
}

export function ViolationTable({ items, countName }: ViolationTableProps) {
  const s = useSchemaTexts();
  const counted: readonly Column<SchemaViolationCount>[] =
    countName === undefined ? [] : [{ name: countName, kind: 'number', cell: ({ count }) => formatNumber(count) }];
  return (
    <Table
      label={s.where}
      rows={items}
      keyOf={({ schemaLocation, path }) => `${schemaLocation} ${path}`}
      columns={[
        { name: s.where, cell: ({ path }) => <bdi className="mono">{pathText(path) || s.whole}</bdi> },
        { name: s.keyword, cell: ({ keyword }) => <code>{keyword}</code> },
        {
          name: s.place,
          cell: ({ schemaLocation }) => (
            <code className="hint">
              <bdi>{plain(schemaLocation)}</bdi>
            </code>
          ),
        },
        ...counted,
      ]}
    />
  );
}
