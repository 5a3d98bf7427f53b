/** Where documents violate a schema, what it demands there, and how often. */
import type { JsonValue } from '@holdfast/json';
import { Link } from '@tanstack/react-router';
import type { SchemaKey, SchemaViolationCount } from '../../api/schemas.ts';
import { formatNumber, textsOf } from '../../texts/index.ts';
import { violationText } from '../../texts/violations.ts';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { useFieldNames } from '../rules/field-name.tsx';
import { countedField } from '../rules/field-of-pointer.ts';
import { capitalised } from '../rules/rules-in-words.ts';
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
  const namesOf = useFieldNames(schema);
  const counted: readonly Column<SchemaViolationCount>[] =
    countName === undefined ? [] : [{ name: countName, kind: 'number', cell: ({ count }) => formatNumber(count) }];
  return (
    <Table
      label={s.where}
      isLinked={schemaKey.kind === 'public-state'}
      rows={items}
      keyOf={({ schemaLocation, path }) => `${schemaLocation} ${path}`}
      columns={[
        {
          name: s.where,
          cell: ({ path }) => <Place schemaKey={schemaKey} path={path} name={namesOf(countedField(schema, path))} />,
        },
        {
          name: s.problem,
          isPlain: true,
          cell: (item) => <span title={plain(item.schemaLocation)}>{capitalised(plain(demandOf(schema, item)))}</span>,
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
function Place({ schemaKey: { slug, env, kind }, path, name }: { schemaKey: SchemaKey; path: string; name: string }) {
  const keys = pathText(path);
  if (kind !== 'public-state') return <bdi title={keys}>{name}</bdi>;
  const [at] = path.split('/*');
  return (
    <bdi title={keys}>
      <Link to="/p/$slug/$env/state" params={{ slug, env }} search={{ ...(at && { at }) }}>
        {name}
      </Link>
    </bdi>
  );
}
