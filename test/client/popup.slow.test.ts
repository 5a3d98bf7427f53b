/** Closing the popup of the login page ends the sign-in, in a browser. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPopupWorld, outcomeOf, type PopupWorld } from './popup.fixture.ts';

let world: PopupWorld;
beforeAll(async () => {
  world = await openPopupWorld();
});
afterAll(() => world?.stop());

test('rejects soon after the window is closed', async () => {
  const { page, popup } = await world.openPopup();
  await delay(1_000);
  expect(await outcomeOf(page)).toBe('waiting');
  await popup.close();
  await expect.poll(() => outcomeOf(page)).toBe('popup_closed');
});

test('keeps waiting without focus: a window with an opener policy only looks closed', async () => {
  const { page, popup } = await world.openPopup();
  await page.evaluate('document.hasFocus = () => false');
  await popup.close();
  await delay(2_500);
  expect(await outcomeOf(page)).toBe('waiting');
  await page.evaluate('delete document.hasFocus');
  await expect.poll(() => outcomeOf(page)).toBe('popup_closed');
});
