/** `holdfast serve`: starts the service, prints the banner, and stops the service on a signal. */
import { flushCompileCache } from 'node:module';
import { type Config, type Environment, isTracingWanted } from '../config/config.ts';
import { banner } from './banner.ts';
import { recordBaseUrl } from './base-url.ts';
import { type Demo, ensureDemo } from './demo.ts';

interface Started {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  stop(): Promise<void>;
}

/** Resolves when the service is ready. The process then runs until SIGTERM or SIGINT. */
export async function serveCommand(config: Config, environment: Environment): Promise<void> {
  const starting = start(config, isTracingWanted(environment));
  const isStopping = stopOnSignal(starting);
  const { baseUrl, demo } = await starting;
  if (isStopping()) return;
  // npm runs scripts in the folder of package.json; INIT_CWD is where it was called.
  const directory = environment.INIT_CWD ?? process.cwd();
  const authFrontUrl = config.authFrontUrl ?? baseUrl;
  const { dataDir, databaseUrl } = config;
  process.stdout.write(banner({ baseUrl, authFrontUrl, dataDir, databaseUrl, demo, directory }));
  // A killed process writes nothing.
  flushCompileCache();
  await releaseStartupMemory();
}

/** Starts the service and updates the files in its data folder. */
async function start(config: Config, traces: boolean): Promise<Started> {
  const { serve } = await import('../main.ts');
  const { baseUrl, store, stop } = await serve(config, { traces });
  try {
    recordBaseUrl(config.dataDir, baseUrl);
    return { baseUrl, demo: await ensureDemo(store, config, baseUrl), stop };
  } catch (error) {
    await stop().catch(() => undefined); // the log has it; the operator needs to know why there was no start
    throw error;
  }
}

/** Stops the process cleanly at the first SIGTERM or SIGINT, after the start has finished. Returns whether that has begun. */
function stopOnSignal(starting: Promise<Started>): () => boolean {
  let isStopping = false;
  const stopOnce = () => {
    if (isStopping) return;
    isStopping = true;
    starting
      .then(({ stop }) => stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(`holdfast: the service did not stop in order: ${error instanceof Error ? error.message : error}`);
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stopOnce).on('SIGINT', stopOnce);
  return () => isStopping;
}

/**
 * Collects the garbage of the start once: 7 MiB, which the runtime would otherwise keep until there is load. The inspector
 * protocol is the only way to do that without a command-line flag.
 */
async function releaseStartupMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
