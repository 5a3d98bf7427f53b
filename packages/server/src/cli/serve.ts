/** `holdfast serve`: starts the service, greets, and ends it in order when asked to. */
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

/** Resolves once the service is ready; from then on the process lives until SIGTERM or SIGINT. */
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
  // A process that is killed writes nothing any more.
  flushCompileCache();
  await releaseStartupMemory();
}

/** Starts the service and makes what stands in its data folder true. */
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

/** Ends the process in order at the first SIGTERM or SIGINT; a start is finished before. Returns whether that began. */
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
 * Collects the garbage that starting has left, once: 7 MiB, which the runtime would keep until load makes it collect. Its
 * inspector protocol is the only way to ask for that which needs no flag on the command line.
 */
async function releaseStartupMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
