/** The order of test files in a run. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that need the same resource or much time. Files of one kind would wait for each other if they ran in parallel: three store suites
 * for one PostgreSQL, seven browsers for two cores.
 */
const kinds = [
  /\/storage\/\w+\/store\.\w+\.test\.ts$/,
  /\/test\/(?:console|login)\/|\/test\/(?:clients|docs|examples)\//,
  /\/cli\/|\/storage\/sqlite\/(?:writer|sweep|inspect)\/|\/test\/transport\//,
];
/** Files of a kind start within this share of the run, since most take long. */
const spread = 0.7;

/**
 * Spreads the files of each kind evenly over a project's part of the run, the longest first. PostgreSQL's part, with the longest files, comes
 * first: at the end of a run, many short files share the cores better.
 */
export class SpreadOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const parts = [...Map.groupBy(sorted, ({ project }) => project).entries()];
    return parts.toSorted(([one], [other]) => one.name.localeCompare(other.name)).flatMap(([, part]) => spreadKinds(part));
  }
}

function spreadKinds(files: TestSpecification[]): TestSpecification[] {
  const kindOf = ({ moduleId }: TestSpecification) => kinds.findIndex((kind) => kind.test(moduleId));
  const positions = [...Map.groupBy(files, kindOf)].flatMap(([kind, same]) =>
    same.map((file, index) => ({ file, at: (index / same.length) * (kind === -1 ? 1 : spread) })),
  );
  return positions.sort((one, other) => one.at - other.at).map(({ file }) => file);
}
