/** Builds the image of the Dockerfile with buildah, over the base images that it names, or without a registry over Debian's packages. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { requireProgram } from '../../tooling/programs.ts';
import type { Image } from './container.ts';

const repository = join(import.meta.dirname, '..', '..');
const release = 'trixie';

export interface BuildOptions {
  /** The source of the two base images: the registry that the Dockerfile names, or replacements made of Debian's packages. */
  readonly bases: 'registry' | 'debian';
  /** The commit, for the label of the image. */
  readonly revision?: string;
  /** Time of the image and its files in seconds since 1970, so that equal content gives an equal image. Default: the build time. */
  readonly epoch?: number;
  /** Where to write the image, as an Open Container Initiative archive. */
  readonly archive?: string;
}

export interface BuiltImage {
  readonly image: Image;
  /** Unmounts it. */
  dispose(): void;
}

/** Builds the image below `folder`, which must be empty, and mounts it. Needs root. Throws if a step of the Dockerfile fails. */
export function buildImage(folder: string, { bases, revision, epoch, archive }: BuildOptions): BuiltImage {
  requireProgram('buildah', 'buildah');
  const buildah = (...args: readonly string[]) => {
    const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
    return execFileSync('buildah', [...store, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  };
  if (bases === 'debian') makeBaseImages(buildah, folder, readFileSync(join(repository, 'Dockerfile'), 'utf8'), epoch);
  const build = ['build', '--isolation', 'chroot', '--network', 'host', '--format', 'docker'];
  const options = [
    bases === 'debian' ? '--pull=never' : '--pull',
    ...(epoch === undefined ? [] : ['--timestamp', String(epoch)]),
    ...(revision === undefined ? [] : ['--build-arg', `REVISION=${revision}`]),
  ];
  buildah(...build, ...options, '--tag', 'holdfast', repository);
  if (archive !== undefined) buildah('push', '--format', 'oci', 'localhost/holdfast', `oci-archive:${archive}`);
  const container = buildah('from', '--pull=never', 'localhost/holdfast');
  const root = buildah('mount', container);
  const settings = JSON.parse(buildah('inspect', '--type', 'image', 'holdfast')).Docker.config;
  return { image: { root, settings }, dispose: () => void buildah('umount', container) };
}

type Buildah = (...args: readonly string[]) => string;

/** Replaces the base images of the Dockerfile: a minimal Debian, and the same with this Node and npm. */
function makeBaseImages(buildah: Buildah, folder: string, dockerfile: string, epoch?: number): void {
  requireProgram('mmdebstrap', 'mmdebstrap');
  const env = { ...process.env, ...(epoch !== undefined && { SOURCE_DATE_EPOCH: String(epoch) }) };
  const dated = epoch === undefined ? [] : ['--timestamp', String(epoch)];
  const imageOf = (argument: string) =>
    `docker.io/library/${new RegExp(`^ARG ${argument}=(\\S+)$`, 'm').exec(dockerfile)?.[1]}`;
  const archive = join(folder, 'debian.tar');
  const mirror = 'http://deb.debian.org/debian';
  execFileSync('mmdebstrap', ['--variant=minbase', '--mode=root', '--quiet', release, archive, mirror], { env });
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  buildah('commit', '--quiet', ...dated, container, imageOf('RUN_IMAGE'));
  const local = join(folder, 'node', 'usr', 'local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin', 'node'), { dereference: true });
  cpSync(npmFolder(), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    cpSync(certificates, join(local, 'extra-ca.pem'), { dereference: true });
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/extra-ca.pem', container);
  }
  buildah('add', '--quiet', container, join(folder, 'node'), '/');
  const install = 'apt-get update -q && apt-get install -qy --no-install-recommends libatomic1';
  buildah('run', '--isolation', 'chroot', '--network', 'host', container, '--', 'sh', '-c', install);
  buildah('commit', '--quiet', ...dated, container, imageOf('BUILD_IMAGE'));
}

/** The folder of this machine's npm. If asked, npm would name one beside the Node of the packages, which has none. */
function npmFolder(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const npm = folders.map((folder) => join(folder, 'npm')).find((program) => existsSync(program));
  if (npm === undefined) throw new Error('the program npm is missing');
  return dirname(dirname(realpathSync(npm)));
}
