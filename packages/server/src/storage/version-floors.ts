/**
 * Which version comes next. A store that went back (a backup was put into its place) has forgotten versions that clients know. So one number
 * of the installation, the floor, is raised above all of them, and every version that is given out from then on is at least the floor.
 * Without a restore it is 0.
 *
 * Edits never lead across such a jump: public state after it is stored whole, and so is a user state before it. Readers find a run by counting
 * versions, which is right within a run only.
 */

/** How far the floor is raised above the highest version that is known. */
export const versionsAheadDefault = 1_000_000;

/** Versions are JSON integers, which clients hold exactly up to here. */
export const versionMax = Number.MAX_SAFE_INTEGER;

/** Returns the version after `version`, which is 0 or the highest one that a deleted record had. */
export const nextVersion = (version: number, floor: number): number => Math.max(version + 1, floor);

/** Whether the version after `version` leaves numbers out. */
export const isJump = (version: number, floor: number): boolean => nextVersion(version, floor) !== version + 1;

/** SQL of both engines: the larger of two numbers. */
const larger = (one: string, other: string): string => `CASE WHEN ${one} > ${other} THEN ${one} ELSE ${other} END`;

/** SQL: `nextVersion` of an expression and a parameter. */
export const nextVersionSql = (version: string, floor: string): string => larger(`${version} + 1`, floor);

/**
 * SQL: a new ceiling of the versions of an environment, where `version` has come above it: twice as far above the floor of the environment,
 * or of the installation if that is higher.
 */
export const ceilingSql = (version: string, environmentFloor: string, floor: string): string => {
  const raised = `2 * (${version}) - (${larger(environmentFloor, `(${floor}) - 1`)})`;
  return `CASE WHEN ${raised} < ${versionMax} THEN ${raised} ELSE ${versionMax} END`;
};

/** Returns a floor that is so far above the highest version; undefined where versions would be larger than clients hold. */
export function raisedFloor(highest: number, ahead: number): number | undefined {
  const floor = highest + ahead;
  return Number.isSafeInteger(floor) ? floor : undefined;
}
