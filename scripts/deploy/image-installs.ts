/** Installs the image with Docker and Kubernetes, using the shipped files, until an owner is signed in to the console. */
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { startPostgres } from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { caddy, type Ports } from '../../tooling/proxies/reverse-proxy.ts';
import { type Image, startContainer, userId } from './container.ts';
import { type Installation, tryProduction } from './production.ts';

const repository = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

type Settings = Readonly<Record<string, string>>;
interface Way {
  /** The service's environment after the reader has followed the page. */
  settings(ports: Ports): Settings;
  /** Creates the volume like the program that runs containers. */
  makeVolume(folder: string): void;
  /** The path of the data in the volume. */
  readonly dataFolder?: string;
  readonly proxy?: Installation['proxy'];
}

/** The settings of a manifest, with the addresses of this machine's proxy instead of an ingress's. */
function configMapOf(file: string): Settings {
  const [, block = ''] = /^kind: ConfigMap\n[\s\S]*?^data:\n([\s\S]*?)^---$/m.exec(read(file)) ?? [];
  const pairs = [...block.matchAll(/^ {2}(SVC_\w+): "?(.*?)"?$/gm)].map(([, name = '', value = '']) => [name, value]);
  return { ...Object.fromEntries(pairs), SVC_TRUST_PROXY: '127.0.0.1' };
}

/** A volume belongs to root, and its files to the group given by `fsGroup`. */
function makeVolumeOfPod(folder: string): void {
  mkdirSync(folder);
  chownSync(folder, 0, userId);
  chmodSync(folder, 0o2775);
}

const pod = (file: string, more: Settings = {}): Way => ({
  settings: () => ({ ...configMapOf(file), ...more }),
  makeVolume: makeVolumeOfPod,
});

const compose: Way = {
  settings({ https }) {
    const { SVC_BASE_URL: _, SVC_TRUST_PROXY: __, ...shipped } = parseEnv(read('deploy/holdfast.env.example'));
    const given = Object.entries(shipped).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return { ...Object.fromEntries(given), SVC_BASE_URL: `https://localhost:${https}`, SVC_TRUST_PROXY: '127.0.0.1' };
  },
  // A new Docker volume is a copy of the folder in the image.
  makeVolume(folder) {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, userId, userId);
  },
  proxy: caddy,
};

/** Tries each way with an image, below `folder`. Resolves with the failed checks. */
export async function tryImageInstalls(
  image: Image,
  folder: string,
  pictures?: string,
): Promise<{ passed: number; faults: readonly string[] }> {
  const cluster = await startPostgres();
  try {
    const secrets = {
      SVC_DATABASE_URL: await cluster.createDatabase(),
      SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const ways: Readonly<Record<string, Way>> = {
      compose,
      'kubernetes-holdfast': { ...pod('deploy/kubernetes/holdfast.yaml'), dataFolder: 'data' },
      'kubernetes-postgres': pod('deploy/kubernetes/postgres.yaml', secrets),
    };
    const faults: string[] = [];
    for (const [name, way] of Object.entries(ways)) {
      const picture = pictures === undefined ? undefined : join(pictures, `${name}.png`);
      await tryWay(image, way, join(folder, name), picture).catch((error: Error) => {
        faults.push(`${name}: ${error.message}`);
      });
    }
    return { passed: Object.keys(ways).length - faults.length, faults };
  } finally {
    await cluster.dispose();
  }
}

async function tryWay(image: Image, way: Way, folder: string, picture?: string): Promise<void> {
  mkdirSync(folder);
  const volume = join(folder, 'volume');
  way.makeVolume(volume);
  await tryProduction({
    folder,
    dataDir: join(volume, way.dataFolder ?? ''),
    ...(way.proxy !== undefined && { proxy: way.proxy }),
    ...(picture !== undefined && { picture }),
    async start(ports) {
      const container = await startContainer(image, volume, {
        ...way.settings(ports),
        SVC_PORT: String(ports.services[0]),
      });
      return {
        run: (...args) => container.run('holdfast', ...args),
        async stop() {
          process.kill(container.pid, 'SIGTERM');
          await container.exited;
        },
      };
    },
  });
}
