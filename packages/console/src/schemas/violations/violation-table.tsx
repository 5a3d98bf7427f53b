/** Where documents violate a schema, what it demands there, and how often. */
import type { JsonValue } from '@holdfast/json';
import { Link } from '@tanstack/react-router';
import type { SchemaKey, SchemaViolationCount } from '../../api/schemas.ts';
import { formatNumber, textsOf } from '../../texts/index.ts';
import { violationText } from '../../texts/violations.ts';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { ruleMessage } from './rule-words.ts';

const [useSchemaTexts] = textsOf('schemas');

interface ViolationTableProps {
  readonly schemaKey: SchemaKey;
  readonly schema: JsonValue;
  readonly items: readonly SchemaViolationCount[];
  /** The unit that is counted; left out if useless. */
  readonly countName: string | undefined;
}

export function ViolationTable({ schemaKey, schema, items, countName }: ViolationTableProps) {
  const s = useSchemaTexts();
  const counted: readonly Column<SchemaViolationCount>[] =
    countName === undefined ? [] : [{ name: countName, kind: 'number', cell: ({ count }) => formatNumber(count) }];
  return (
    <Table
      label={s.where}
      isLinked={schemaKey.kind === 'public-state'}
      rows={items}
      keyOf={({ schemaLocation, path }) => `${schemaLocation} ${path}`}
      columns={[
        { name: s.where, cell: ({ path }) => <Place schemaKey={schemaKey} path={path} /> },
        {
          name: s.problem,
          isPlain: true,
          cell: (item) => <span title={plain(item.schemaLocation)}>{plain(demandOf(schema, item))}</span>,
        },
        ...counted,
      ]}
    />
  );
}

/** What a rule demands; its keyword if there are no words for it. */
function demandOf(schema: JsonValue, item: SchemaViolationCount): string {
  const message = ruleMessage(schema, item);
  return message === undefined ? item.keyword : violationText({ message });
}

/** In a configuration, links to the value, or to the list whose entries are meant. */
function Place({ schemaKey: { slug, env, kind }, path }: { schemaKey: SchemaKey; path: string }) {
  const s = useSchemaTexts();
  // The service writes an asterisk for an entry of a list, or a field that has no rule of its own.
  const text = pathText(path).replace(/(^| › )\*(?= › |$)/g, `$1${s.words.each}`) || s.whole;
  if (kind !== 'public-state') return <bdi>{text}</bdi>;
  const [at] = path.split('/*');
  return (
    <bdi>
      <Link to="/p/$slug/$env/state" params={{ slug, env }} search={{ ...(at && { at }) }}>
        {text}
      </Link>
    </bdi>
  );
}
