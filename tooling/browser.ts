/** A real browser: the one inside the npm package on Linux x64, the installed Chrome elsewhere. */
import { arch, platform } from 'node:process';
import { type Browser, chromium } from 'playwright-core';

/** Starts the browser, with more options of its command line. One serves all tests of a file; every test takes a context of its own. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (platform !== 'linux' || arch !== 'x64') return chromium.launch({ channel: 'chrome', args: [...more] });
  const { default: packed } = await import('@sparticuz/chromium');
  // What makes it fit into a function of a cloud is left out: one process for everything breaks isolation and emulation.
  packed.setGraphicsMode = false; // nothing here draws in three dimensions
  const args = packed.args.filter(
    (argument) => !/^--(?:single-process|no-zygote|disable-web-security|headless)/.test(argument),
  );
  return chromium.launch({ executablePath: await packed.executablePath(), args: [...args, ...more], headless: true });
}
