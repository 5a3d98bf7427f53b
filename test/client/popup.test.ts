/** Sign-in with a popup of the login page, in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password } from '../login/stage.ts';
import { address, openPopupWorld, outcomeOf, type PopupWorld } from './popup.fixture.ts';

let world: PopupWorld;
beforeAll(async () => {
  world = await openPopupWorld();
});
afterAll(() => world?.stop());

test('resolves when somebody has signed in, and closes the window', async () => {
  const { page, popup } = await world.openPopup();
  await popup.fill('#email', address);
  await popup.fill('#password', password);
  await Promise.all([popup.waitForEvent('close'), popup.press('#password', 'Enter')]);
  await expect.poll(() => outcomeOf(page)).toBe(`signed in as ${address}`);
});
