/** A document as a tree that opens level by level. Closed parts are not rendered. */
import { isContainer, type JsonObject, type JsonValue, printJson } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import { useTexts } from '../texts/index.ts';

type Container = JsonObject | readonly JsonValue[];

const childrenStep = 200;
const scalarCharactersMax = 200;

export const Tree = memo(function Tree({ value, label }: { value: JsonObject; label: string }) {
  return (
    <section className="tree" aria-label={label}>
      <Children value={value} />
    </section>
  );
});

function Children({ value }: { value: Container }) {
  const t = useTexts();
  const [shown, setShown] = useState(childrenStep);
  const entries = Object.entries<JsonValue>(value);
  return (
    <ul>
      {entries.slice(0, shown).map(([name, child]) => (
        <li key={name}>{isContainer(child) ? <Branch name={name} value={child} /> : <Leaf name={name} value={child} />}</li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" className="link" onClick={() => setShown(shown + childrenStep)}>
            {t.common.more}
          </button>
        </li>
      )}
    </ul>
  );
}

function Branch({ name, value }: { name: string; value: Container }) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(value).length;
  return (
    <>
      <button type="button" className="tree-branch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight aria-hidden="true" />
        <bdi className="code-name">{name}</bdi>
        <span className="tree-count">{Array.isArray(value) ? `[${count}]` : `{${count}}`}</span>
      </button>
      {isOpen && <Children value={value} />}
    </>
  );
}

function Leaf({ name, value }: { name: string; value: JsonValue }) {
  const text = printJson(value);
  const kind = typeof value === 'string' ? 'string' : value === null || typeof value === 'boolean' ? 'word' : 'number';
  return (
    <div className="tree-leaf">
      <bdi className="code-name">{name}</bdi>
      <bdi className={`code-${kind}`}>
        {text.length > scalarCharactersMax ? `${text.slice(0, scalarCharactersMax)}…` : text}
      </bdi>
    </div>
  );
}
