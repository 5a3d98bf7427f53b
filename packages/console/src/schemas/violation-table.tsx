/** Where documents violate a schema, what it demands there, and how often. */
import type { JsonValue } from '@holdfast/json';
import type { SchemaViolationCount } from '../api/schemas.ts';
import { pathText } from '../state/pointer-text.ts';
import { formatNumber } from '../texts/index.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { violationText } from '../texts/violations.ts';
import { plain } from '../ui/plain-text.ts';
import { Below, type Column, Table } from '../ui/table.tsx';
import { ruleMessage } from './rule-words.ts';

interface ViolationTableProps {
  readonly schema: JsonValue;
  readonly items: readonly SchemaViolationCount[];
  /** The unit that is counted; left out if useless. */
  readonly countName: string | undefined;
}

export function ViolationTable({ schema, items, countName }: ViolationTableProps) {
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
        {
          name: s.problem,
          cell: (item) => (
            <>
              {plain(violationText({ keyword: item.keyword, message: ruleMessage(schema, item) }))}
              <Below>
                <code>
                  <bdi>{plain(item.schemaLocation)}</bdi>
                </code>
              </Below>
            </>
          ),
        },
        ...counted,
      ]}
    />
  );
}
