/** `holdfast serve`: starts the service, greets, and ends it in order when asked to. */
import { flushCompileCache } from 'node:module';
import type { Config, Environment } from '../config.ts';
import { banner } from './banner.ts';
import { ensureDemo } from './demo.ts';
import { demandEmbeddedStore } from './operator.ts';

/** Resolves once the service is ready; from then on the process lives until SIGTERM or SIGINT. */
export async function serveCommand(config: Config, environment: Environment): Promise<void> {
  demandEmbeddedStore(config);
  const { serve } = await import('../main.ts');
  const { baseUrl, store, stop } = await serve(config);
  let isStopping = false;
  const stopOnce = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`holdfast: the service did not stop in order: ${error instanceof Error ? error.message : error}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stopOnce).on('SIGINT', stopOnce);
  const demo = await ensureDemo(store, config, baseUrl);
  // npm runs scripts in the folder of package.json; INIT_CWD is where it was called.
  const directory = environment.INIT_CWD ?? process.cwd();
  process.stdout.write(banner({ baseUrl, dataDir: config.dataDir, demo, directory }));
  // A process that is killed writes nothing any more.
  flushCompileCache();
}
