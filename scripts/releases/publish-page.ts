/** The page of a release on GitHub, with its files: created as a draft, filled, and published once complete. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checksumFile, filesOf, sha256 } from './artefacts.ts';
import { planOf } from './plan.ts';

/** Runs GitHub's command; returns its output and status. */
export type GitHub = (
  args: readonly string[],
  input?: string,
) => { readonly status: number | null; readonly output: string };

/** The real command, which reads its token from GH_TOKEN. */
export const gh: GitHub = (args, input) => {
  const { status, stdout, stderr, error } = spawnSync('gh', args, { encoding: 'utf8', input });
  return { status, output: `${error?.message ?? ''}${stdout}${status === 0 ? '' : stderr}` };
};

interface Page {
  readonly assets: readonly { readonly name: string; readonly digest: string | null }[];
}

/**
 * Creates the page of a tag with the files of a folder, or completes it. Throws if a file exists with different content, or if GitHub
 * refuses.
 */
export function publishPage(folder: string, tag: string, notes: string, run: GitHub): void {
  const demand = (args: readonly string[], input?: string) => {
    const { status, output } = run(args, input);
    if (status !== 0) throw new Error(`gh ${args.join(' ')} failed: ${output}`);
    return output;
  };
  const viewed = run(['release', 'view', tag, '--json', 'assets']);
  if (viewed.status !== 0) {
    if (!/release not found/.test(viewed.output))
      throw new Error(`GitHub could not be asked about ${tag}: ${viewed.output}`);
    demand(['release', 'create', tag, '--draft', '--verify-tag', '--title', tag, '--notes-file', '-'], notes);
  }
  const { assets }: Page = viewed.status === 0 ? JSON.parse(viewed.output) : { assets: [] };
  const files = [...filesOf(folder), checksumFile].map((name) => ({
    name,
    integrity: `sha256:${sha256(join(folder, name))}`,
  }));
  const { left, missing } = planOf(
    files,
    new Map(assets.map(({ name, digest }) => [name, digest ?? 'an upload that did not end'])),
  );
  for (const { name } of left) console.log(`${name} is there already, with the same content`);
  if (missing.length > 0) demand(['release', 'upload', tag, ...missing.map(({ name }) => join(folder, name))]);
  demand(['release', 'edit', tag, '--draft=false']);
  console.log(`${tag}: ${files.length} files`);
}
