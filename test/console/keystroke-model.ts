/** A person at the console, whose time is computed from what they do: the keystroke-level model of Card, Moran and Newell. */
import type { Locator, Page } from 'playwright-core';

/** Seconds of each operator: a key, pointing and clicking, a hand that moves between keyboard and mouse, a decision. */
const operatorSeconds = { key: 0.28, point: 1.1, hand: 0.4, mind: 1.35 };

export interface Person {
  readonly page: Page;
  /** Clicks, fields and shortcuts. */
  readonly steps: number;
  readonly seconds: number;
  /** Decides, points and clicks. */
  click(target: Locator): Promise<void>;
  /** Types into the field that has just been clicked, or that has the focus already. Text that stood there is selected first. */
  type(text: string): Promise<void>;
  /** Decides, and presses a shortcut such as `Control+s`. */
  press(keys: string): Promise<void>;
  /** Decides, and pastes what was copied elsewhere. */
  paste(text: string): Promise<void>;
  /** Ends a text with Enter. */
  enter(): Promise<void>;
}

/** Returns a person with a hand at the mouse. The page is used like a person does: nothing is set that is not clicked or typed. */
export function personAt(page: Page): Person {
  let [steps, seconds, hand] = [0, 0, 'mouse'];
  /** Whether the next text belongs to a field that was just clicked: choosing the field was the decision. */
  let isPointed = false;
  const move = (to: 'mouse' | 'keys') => {
    if (hand !== to) seconds += operatorSeconds.hand;
    hand = to;
  };
  const decide = () => {
    seconds += operatorSeconds.mind;
    steps += 1;
  };
  const keys = (count: number) => {
    move('keys');
    seconds += count * operatorSeconds.key;
  };
  const click = async (target: Locator) => {
    decide();
    move('mouse');
    seconds += operatorSeconds.point;
    isPointed = await target.evaluate((element) => 'value' in element && 'placeholder' in element);
    await target.click();
  };
  const type = async (text: string) => {
    if (!isPointed) decide();
    isPointed = false;
    const isFilled = await page.evaluate<boolean>(`Boolean(document.activeElement?.value)`);
    if (isFilled) await page.keyboard.press('ControlOrMeta+a');
    keys([...text].length + (isFilled ? 2 : 0));
    await page.keyboard.type(text);
  };
  return {
    page,
    get steps() {
      return steps;
    },
    get seconds() {
      return seconds;
    },
    click,
    type,
    async press(shortcut) {
      decide();
      isPointed = false;
      keys(shortcut.split('+').length);
      await page.keyboard.press(shortcut);
    },
    async paste(text) {
      decide();
      keys(2);
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(paste);
      })()`);
    },
    async enter() {
      isPointed = false;
      keys(1);
      await page.keyboard.press('Enter');
    },
  };
}
