/** The component list of a release: `npm sbom` in CycloneDX, without parts that differ between runs. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { root } from '../build/server.ts';

/** The parts of a CycloneDX document that `npm sbom` generates each time. */
interface Sbom {
  readonly serialNumber?: string;
  readonly metadata?: { readonly timestamp?: string; readonly component?: { readonly name?: string } };
}

/**
 * Returns a document with the time of the commit, a serial number derived from its content, and the product's name, for which npm uses the
 * folder's. `seconds` is the time since 1970.
 * @see https://cyclonedx.org/docs/1.5/json/#serialNumber
 */
export function steady<S extends Sbom>(sbom: S, seconds: number): S {
  const { serialNumber: _, ...rest } = sbom;
  const component = { ...sbom.metadata?.component, name: 'holdfast' };
  const timestamp = new Date(seconds * 1000).toISOString();
  const dated = { ...rest, metadata: { ...sbom.metadata, timestamp, component } };
  const hash = createHash('sha256').update(JSON.stringify(dated)).digest('hex');
  // A UUID of version 8, whose bits may be chosen freely.
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return { ...sbom, ...dated, serialNumber: `urn:uuid:${uuid.join('-')}` };
}

/** Returns the document of this tree as text. Throws with npm's message if it fails. */
export function makeSbom(seconds: number): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`npm could not list the packages:\n${stderr}`);
  return `${JSON.stringify(steady(JSON.parse(stdout), seconds), null, 2)}\n`;
}
