/** A real browser: the one inside the npm package on Linux x64, the installed Chrome elsewhere. */
import { arch, platform } from 'node:process';
import { type Browser, chromium } from 'playwright-core';

/** Starts the browser, with further command-line options. The tests of a file share one, each in a separate context. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (platform !== 'linux' || arch !== 'x64') return chromium.launch({ channel: 'chrome', args: [...more] });
  const { default: packed } = await import('@sparticuz/chromium');
  // Omits the package's options for cloud functions: a single process breaks isolation and emulation.
  packed.setGraphicsMode = false; // the pages do not draw in three dimensions
  const args = packed.args.filter(
    (argument) => !/^--(?:single-process|no-zygote|disable-web-security|headless)/.test(argument),
  );
  return chromium.launch({ executablePath: await packed.executablePath(), args: [...args, ...more], headless: true });
}
