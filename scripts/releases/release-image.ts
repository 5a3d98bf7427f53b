/** The image of a release: built, tried and stored as a file on a machine of each kind, and pushed under one name for all of them. */

import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../../tooling/programs.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { root } from '../build/server.ts';
import { tryImage } from '../deploy/image.ts';
import { type BuildOptions, buildImage } from '../deploy/image-build.ts';
import { buildEnvironment, releaseFolder } from './artefacts.ts';
import { type Piece, planOf } from './plan.ts';

const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];

/** Builds the image of this machine's architecture and writes it to the release's files. Rejects if a check fails. */
export async function buildReleaseImage(bases: BuildOptions['bases'], tried: boolean): Promise<void> {
  mkdirSync(releaseFolder, { recursive: true });
  const archive = join(releaseFolder, `holdfast-image-${architecture}.tar`);
  rmSync(archive, { force: true });
  const epoch = Number(buildEnvironment().SOURCE_DATE_EPOCH);
  const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  await withDataDir(async (folder) => {
    const { image, dispose } = buildImage(folder, { bases, epoch, revision, archive });
    try {
      console.log(`holdfast-image-${architecture}.tar: ${imageDigest(archive)}`);
      if (!tried) return;
      const { passed, faults, notes } = await tryImage(image, join(folder, 'data'));
      if (faults.length > 0) throw new Error(`the image does not hold:\n${faults.join('\n')}`);
      console.log(`${passed} checks of the image held; ${notes.join(', ')}`);
    } finally {
      dispose();
    }
  });
}

/** Returns the digest of the only manifest of an archive. */
function imageDigest(archive: string): string {
  const index = JSON.parse(
    execFileSync('tar', ['--extract', '--to-stdout', '--file', archive, 'index.json'], { encoding: 'utf8' }),
  );
  return index.manifests[0].digest;
}

interface Archive extends Piece {
  readonly file: string;
}

/**
 * Pushes the archives in `folder` as the version and as `latest` of a repository, such as `ghcr.io/owner/name`. `tlsVerify` is false for a
 * registry on loopback only. Does nothing if they exist; rejects if this version has a different image.
 */
export async function pushImages(folder: string, repository: string, version: string, tlsVerify: boolean): Promise<void> {
  requireProgram('buildah', 'buildah');
  requireProgram('skopeo', 'skopeo');
  const tls = `--tls-verify=${tlsVerify}`;
  const archives: readonly Archive[] = globSync('holdfast-image-*.tar', { cwd: folder })
    .sort()
    .map((name) => {
      const [, kind = ''] = /-([a-z0-9]+)\.tar$/.exec(name) ?? [];
      return {
        name: `${repository}:${version} for ${kind}`,
        integrity: imageDigest(join(folder, name)),
        file: join(folder, name),
      };
    });
  if (archives.length === 0) throw new Error(`there is no image in ${folder}`);
  const pushed = pushedDigests(`docker://${repository}:${version}`, tls);
  const present = archives.flatMap(({ name, integrity }) => {
    const there = pushed?.get(/ for (\w+)$/.exec(name)?.[1] ?? '');
    return pushed === undefined ? [] : [[name, there ?? `nothing, not ${integrity}`] as const];
  });
  const { left, missing } = planOf(archives, new Map(present));
  for (const { name } of left) console.log(`${name} is there already, with the same content`);
  if (missing.length === 0) return;
  await withDataDir(async (place) => {
    const buildah = (...args: readonly string[]) => {
      const store = ['--storage-driver', 'vfs', '--root', join(place, 'store'), '--runroot', join(place, 'run')];
      execFileSync('buildah', [...store, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    buildah('manifest', 'create', 'release');
    for (const { file } of archives) buildah('manifest', 'add', 'release', `oci-archive:${file}`);
    // The version first, so that `latest` always exists under its number.
    for (const tag of [version, 'latest'])
      buildah('manifest', 'push', '--all', tls, 'release', `docker://${repository}:${tag}`);
  });
  for (const { name, integrity } of missing) console.log(`${name} pushed: ${integrity}`);
}

/** The digest of each architecture of an image in a registry, or undefined if the registry has no such image. */
function pushedDigests(image: string, tls: string): ReadonlyMap<string, string> | undefined {
  const { status, stdout, stderr } = spawnSync('skopeo', ['inspect', '--raw', tls, image], { encoding: 'utf8' });
  if (status !== 0) {
    if (/manifest unknown|name unknown|NAME_UNKNOWN|MANIFEST_UNKNOWN/.test(stderr)) return undefined;
    throw new Error(`the registry could not be asked about ${image}:\n${stderr}`);
  }
  const { manifests = [] }: Index = JSON.parse(stdout);
  return new Map(manifests.map(({ digest, platform }) => [platform.architecture, digest]));
}

interface Index {
  readonly manifests?: readonly { readonly digest: string; readonly platform: { readonly architecture: string } }[];
}
