/** Tables of a configuration: many rows, files, texts by language. */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, save, stored, toast } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

const rows = Array.from({ length: 400 }, (_, index) => ({
  id: `item_${index}`,
  price: index * 10,
  isSold: index % 2 === 0,
}));

describe('a list of objects as a table', () => {
  it('is filtered, sorted, changed in many rows, duplicated, deleted and pasted into', async () => {
    const { project, page } = await openEditor(world, { items: rows }, 'form');
    await page.locator('.form-part', { hasText: 'items' }).click();
    const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);
    await page.getByLabel('Filter rows').fill('item_39');
    await page.getByText('11 of 400 rows').waitFor();
    await page.getByRole('button', { name: 'price' }).click();
    await page.getByRole('button', { name: 'price' }).click();
    await expect.poll(() => cell(0, 1).inputValue()).toBe('3990');
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await page.getByLabel('Change', { exact: true }).selectOption('Multiply by');
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('1.1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await toast(page, '11 cells changed');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('checkbox', { name: 'Select item_399' }).check();
    await page.getByRole('button', { name: 'More actions for the selected rows' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('12 of 401 rows').waitFor();
    await page.getByLabel('Filter rows').fill('');
    await page.getByRole('button', { name: 'More actions for the selected rows' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await toast(page, '1 row deleted');
    await cell(0, 1).focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '5\\tyes\\n6\\tnever\\n');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    })()`);
    await toast(page, '3 cells changed. 1 value does not fit its column');
    await save(page);
    await toast(page, 'Version 2 saved');
    const text = await stored(world, project);
    expect(text).toMatch(/"item_39","price":429,/);
    expect(JSON.parse(text).state.items).toHaveLength(400);
    await page.context().close();
  });

  it('is exported as CSV, and shows what an imported file changes before it does', async () => {
    const { project, page } = await openEditor(world, { items: rows.slice(0, 3) }, 'form');
    await page.locator('.form-part', { hasText: 'items' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv).toBe('\ufeffid,price,isSold\r\nitem_0,0,true\r\nitem_1,10,false\r\nitem_2,20,true\r\n');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import CSV' }).click(),
    ]);
    const buffer = Buffer.from(csv.replace('item_1,10', 'item_1,12345678901234567890').replace('item_2', 'item_9'));
    await chooser.setFiles({ name: 'items.csv', mimeType: 'text/csv', buffer });
    const dialog = page.locator('.dialog');
    await dialog.getByText('Changed cells: 1, new rows: 1.').waitFor();
    await dialog.locator('li', { hasText: 'item_1 › price' }).getByText('12345678901234567890').waitFor();
    await dialog.getByLabel('Delete the row that is not in the file').check();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await save(page);
    await toast(page, 'Version 2 saved');
    expect(await stored(world, project)).toMatch(/"item_0".*"item_1","price":12345678901234567890,.*"item_9"/);
    await page.context().close();
  });

  it('keeps its cells below their headers in narrow windows, where it scrolls', async () => {
    const { page } = await openEditor(world, { items: [{ id: 'sword', price: 5, note: 'sharp' }] }, 'form');
    await page.locator('.form-part', { hasText: 'items' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    const row = page.locator('tr', { has: page.locator('[data-cell="0:0"]') });
    const startsOf = async (cells: Locator) => {
      const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
      return boxes.map((box) => box?.x);
    };
    expect(await startsOf(row.locator('th, td'))).toEqual(await startsOf(page.locator('thead th')));
    await page.context().close();
  });

  it('has a column for each language of texts', async () => {
    const texts = { en: { title: 'Market', shop: { open: 'Open' } }, de: { title: 'Markt' } };
    const { project, page } = await openEditor(world, { texts }, 'form');
    await page.locator('.form-part', { hasText: 'texts' }).click();
    const missing = page.getByRole('textbox', { name: 'shop › open, de' });
    expect(await missing.getAttribute('placeholder')).toBe('missing');
    await page.getByLabel('Only missing').check();
    await page.getByText('1 of 2 rows').waitFor();
    await missing.fill('Offen');
    await page.getByLabel('Only missing').uncheck();
    await page.getByRole('button', { name: 'Add row' }).click();
    await page.getByRole('textbox', { name: 'Row new' }).fill('closed');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'closed, en' }).fill('Closed');
    await save(page);
    await toast(page, 'Version 2 saved');
    expect(JSON.parse(await stored(world, project)).state.texts).toEqual({
      en: { title: 'Market', shop: { open: 'Open' }, closed: 'Closed' },
      de: { title: 'Markt', shop: { open: 'Offen' }, closed: '' },
    });
    await page.context().close();
  });

  it('has a line for each language of a text in narrow windows, which do not scroll sideways', async () => {
    const texts = { en: { title: 'Market', open: 'Open' }, de: { title: 'Markt' } };
    const { project, page } = await openEditor(world, { texts, gold: 1 }, 'form');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: /^Texts/ }).click();
    const missing = page.getByRole('textbox', { name: 'open, de' });
    expect(await missing.getAttribute('placeholder')).toBe('missing');
    expect(await page.locator('td', { has: missing }).innerText()).toBe('German');
    const [above, below] = await Promise.all(
      [page.getByRole('textbox', { name: 'open, en' }), missing].map((one) => one.boundingBox()),
    );
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    const overflow =
      '(() => { const it = document.querySelector(".grid-scroller"); return it.scrollWidth - it.clientWidth })()';
    expect(await page.evaluate(overflow)).toBe(0);
    await missing.fill('Offen');
    await save(page);
    await toast(page, 'Version 2 saved');
    expect(JSON.parse(await stored(world, project)).state.texts.de).toEqual({ title: 'Markt', open: 'Offen' });
    await page.context().close();
  });

  it('shows lists in words and what is null in grey, and edits them as JSON', async () => {
    const items = [
      { id: 'bow', stock: null, tags: ['weapon', 'starter'] },
      { id: 'axe', stock: 5, tags: [] },
    ];
    const { project, page } = await openEditor(world, { items, flags: {}, schema: 3 }, 'form');
    const technical = page.locator('.form-group .form-technical');
    expect(await page.getByRole('textbox', { name: 'schema' }).isVisible()).toBe(false);
    await technical.getByText('Technical').click();
    await page.getByRole('textbox', { name: 'schema' }).fill('4');
    expect(await technical.getByRole('link', { name: /^Flags/ }).getAttribute('href')).toMatch(/\/development\/flags$/);
    await page.locator('.form-part', { hasText: 'items' }).click();
    const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);
    const shown = async (row: number, column: number) => [
      await cell(row, column).inputValue(),
      await cell(row, column).getAttribute('placeholder'),
    ];
    expect(await shown(0, 1)).toEqual(['', 'none']);
    expect(await shown(0, 2)).toEqual(['weapon, starter', null]);
    expect(await shown(1, 2)).toEqual(['', 'none']);
    await cell(0, 2).focus();
    expect(await cell(0, 2).inputValue()).toBe('["weapon","starter"]');
    await cell(0, 2).fill('["weapon"]');
    await cell(0, 1).fill('7');
    await save(page);
    await toast(page, 'Version 2 saved');
    expect(JSON.parse(await stored(world, project)).state).toMatchObject({
      items: [{ id: 'bow', stock: 7, tags: ['weapon'] }, items[1]],
      schema: 4,
    });
    await page.context().close();
  });
});

it('what is wrong with a value stands below it in words', async () => {
  const { page } = await openEditor(world, { gold: 1, motd: 'Calm\u200b seas', tags: ['a', 'b\u202e'] }, 'form');
  const [gold, motd] = ['Gold', 'MOTD'].map((name) => page.getByRole('textbox', { name }));
  // In one step: a fault may go while it is read.
  const faultOf = (input: typeof gold) =>
    input?.evaluate(
      (field: {
        getAttribute(name: string): string | null;
        ownerDocument: { getElementById(id: string): { textContent: string } | null };
      }) =>
        (field.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .flatMap((id) => field.ownerDocument.getElementById(id)?.textContent ?? []),
    );
  const faults = (input: typeof gold) => expect.poll(() => faultOf(input));
  await faults(motd).toEqual(['Contains an invisible character (U+200B)']);
  await faults(page.getByRole('textbox', { name: 'Entry 2' })).toEqual(['Contains an invisible character (U+202E)']);
  await faults(gold).toEqual([]);
  await gold?.fill('three');
  await faults(gold).toEqual(['Enter a number.']);
  await gold?.press('Escape');
  await faults(gold).toEqual([]);
  await motd?.fill('Calm seas');
  await faults(motd).toEqual([]);
  await page.context().close();
});
