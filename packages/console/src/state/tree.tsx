/** A document as a tree that can be opened level by level. What is closed is not rendered. */
import { isContainer, type JsonValue, printJson } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import { useTexts } from '../texts/index.ts';

const childrenStep = 200;
const scalarCharactersMax = 200;

export const Tree = memo(function Tree({ value, label }: { value: JsonValue; label: string }) {
  return (
    <section className="tree" aria-label={label}>
      <Children value={value} />
    </section>
  );
});

function Children({ value }: { value: JsonValue }) {
  const t = useTexts();
  const [shown, setShown] = useState(childrenStep);
  const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
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

function Branch({ name, value }: { name: string; value: JsonValue }) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(value as object).length;
  return (
    <>
      <button type="button" className="tree-branch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight aria-hidden="true" />
        <bdi className="tree-name">{name}</bdi>
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
      <bdi className="tree-name">{name}</bdi>
      <bdi className={`tree-value ${kind}`}>
        {text.length > scalarCharactersMax ? `${text.slice(0, scalarCharactersMax)}…` : text}
      </bdi>
    </div>
  );
}
