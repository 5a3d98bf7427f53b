/** `CHANGELOG.md` as text: its sections, the version that unreleased changes require, and the section of a release. */

/** A section of the changelog, from its heading to the next one. */
export interface Section {
  /** A version, or `Unreleased`. */
  readonly name: string;
  /** The day of the release; undefined for what is unreleased. */
  readonly date: string | undefined;
  /** The text below the heading, without surrounding blank lines. */
  readonly text: string;
}

const heading = /^## \[([^\]]+)\](?: - (\S+))?[^\n]*$/gm;

/** Returns every section in order, the newest first. */
export function sections(changelog: string): readonly Section[] {
  const found = [...changelog.matchAll(heading)];
  return found.map(({ 0: line, 1: name = '', 2: date, index }, at) => {
    const end = found[at + 1]?.index ?? changelog.length;
    return { name, date, text: changelog.slice(index + line.length, end).trim() };
  });
}

/** Returns the section of a version or `Unreleased`, or undefined if there is none. */
export const sectionOf = (changelog: string, name: string): Section | undefined =>
  sections(changelog).find((section) => section.name === name);

/**
 * Returns the version that the unreleased section requires by CONTRIBUTING.md, "Versions": fixes alone a patch, anything else a minor
 * version; from 1.0.0 on, removals a major one. Throws if there is nothing to release.
 */
export function nextVersion(current: string, unreleased: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
  const parts = [...unreleased.matchAll(/^### (\w+)$/gm)].map(([, part = '']) => part);
  if (parts.length === 0) throw new Error('the changelog has nothing unreleased, so there is nothing to release');
  if (major > 0 && parts.includes('Removed')) return `${major + 1}.0.0`;
  return parts.every((part) => part === 'Fixed' || part === 'Security')
    ? `${major}.${minor}.${patch + 1}`
    : `${major}.${minor + 1}.0`;
}

/** Returns the changelog with unreleased changes as section `version` below an empty one. Throws if there are no changes. */
export function cut(changelog: string, version: string, date: string): string {
  if (!sectionOf(changelog, 'Unreleased')?.text) throw new Error('the changelog has nothing unreleased');
  if (sectionOf(changelog, version)) throw new Error(`the changelog has a section ${version} already`);
  return changelog.replace('## [Unreleased]', `## [Unreleased]\n\n## [${version}] - ${date}`);
}
