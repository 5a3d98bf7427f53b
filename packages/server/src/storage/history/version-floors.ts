/**
 * Determines the next version. A store that went back (a backup was restored) has forgotten versions that clients know. An
 * installation-wide number, the floor, is therefore raised above all of these versions, and every version assigned from then on is at least
 * the floor. Without a restore it is 0.
 *
 * Edits never cross such a jump: public state after it and user state before it are stored whole. Readers find a run by counting versions,
 * which only works within a run.
 */

/** How far the floor is raised above the highest known version. */
export const versionsAheadDefault = 1_000_000;

/** Versions are JSON integers, which clients represent exactly up to here. */
export const versionMax = Number.MAX_SAFE_INTEGER;

/** Returns the version after `version`, which is 0 or the highest version of a deleted record. */
export const nextVersion = (version: number, floor: number): number => Math.max(version + 1, floor);

/** Whether the version after `version` skips numbers. */
export const isJump = (version: number, floor: number): boolean => nextVersion(version, floor) !== version + 1;

/** SQL for both engines: the larger of two numbers. */
const larger = (one: string, other: string): string => `CASE WHEN ${one} > ${other} THEN ${one} ELSE ${other} END`;

/** SQL: `nextVersion` of an expression and a parameter. */
export const nextVersionSql = (version: string, floor: string): string => larger(`${version} + 1`, floor);

/**
 * SQL: an environment's new version ceiling after `version` has exceeded the old one: twice as far above the environment's floor, or above
 * the installation's floor if that is higher.
 */
export const ceilingSql = (version: string, environmentFloor: string, floor: string): string => {
  const raised = `2 * (${version}) - (${larger(environmentFloor, `(${floor}) - 1`)})`;
  return `CASE WHEN ${raised} < ${versionMax} THEN ${raised} ELSE ${versionMax} END`;
};

/** Returns a floor this far above the highest version; undefined if versions would be larger than clients represent exactly. */
export function raisedFloor(highest: number, ahead: number): number | undefined {
  const floor = highest + ahead;
  return Number.isSafeInteger(floor) ? floor : undefined;
}
