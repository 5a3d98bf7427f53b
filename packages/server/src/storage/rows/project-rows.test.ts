import { examples } from '@holdfast/contract/openapi';
import { describe, expect, it } from 'vitest';
import { json, optionalText, type ProjectField, text, word } from '../contract/project-field.ts';
import { changedProject, namedProjectFields } from '../contract/projects.ts';
import { aProject } from '../store-suite/records.fixture.ts';
import { columnOf, fieldAt } from './project-rows.ts';

const column = 'a_field';
const name = text({ column, default: '' });
const note = optionalText({ column });
const mode = word(['off', 'on'], { column, default: 'off' });
const list = json<readonly number[]>({ column, default: [] });
const bounds = json<{ low: number; high: number } | null>({ column, default: null, isNullable: true });
const counts = json({ column, default: { low: 0, high: 0 }, isNullable: true });

const stored = <Value>(field: ProjectField<Value>, value: Value) => {
  const kept = columnOf(field, value);
  return [kept, fieldAt({ [column]: kept }, field)];
};

describe('a field of a project', () => {
  it('is read as it was stored', () => {
    expect(stored(name, 'null')).toEqual(['"null"', 'null']);
    expect(stored(name, '\ud800\u0000')).toEqual(['"\\ud800\\u0000"', '\ud800\u0000']);
    expect(stored(note, 'null')).toEqual(['"null"', 'null']);
    expect(stored(note, '')).toEqual(['""', '']);
    expect(stored(note, null)).toEqual([null, null]);
    expect(stored(mode, 'on')).toEqual(['on', 'on']);
    expect(stored(list, [1])).toEqual(['[1]', [1]]);
    expect(stored(bounds, { low: 1, high: 2 })).toEqual(['{"low":1,"high":2}', { low: 1, high: 2 }]);
  });

  it('is null in its column for the default, if it may be', () => {
    expect(stored(bounds, null)).toEqual([null, null]);
    expect(stored(counts, { low: 0, high: 0 })).toEqual([null, { low: 0, high: 0 }]);
    expect(stored(list, [])).toEqual(['[]', []]);
  });

  it('has its default for members that were not stored', () => {
    expect(fieldAt({ [column]: '{"low":1}' }, counts)).toEqual({ low: 1, high: 0 });
  });

  it('takes null and words only where its column can hold them', () => {
    // @ts-expect-error A text that is always there.
    const unset = () => text({ column, default: null });
    // @ts-expect-error The column of a text is never null for a text.
    const hidden = () => text({ column, default: 'a', isNullable: true });
    // @ts-expect-error Another word.
    const other = () => word(['off', 'on'], { column, default: 'maybe' });
    expect([unset, hidden, other]).toHaveLength(3);
  });

  it.each([name, mode, list])('that is null, and may not be, is a fault that names the column', (field) => {
    const cause = expect.objectContaining({ message: expect.stringContaining(`column ${column} is null`) });
    expect(() => fieldAt<unknown>({ [column]: null }, field)).toThrow(expect.objectContaining({ cause }));
  });
});

it.each(namedProjectFields)(
  'the example of a change, which tests take, sets another %s than that of a new project',
  (name) => {
    const project = aProject();
    expect(examples.UpdateProjectBody).toHaveProperty(name);
    expect(changedProject(project, examples.UpdateProjectBody ?? {})[name]).not.toEqual(project[name]);
  },
);
