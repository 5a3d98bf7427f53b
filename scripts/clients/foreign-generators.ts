/** Client generators for other languages. Their tools are installed into a cache folder, at the versions given here. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { compiledProgram, compileTypeScript, type Generator, programsFolder, run } from '../../test/clients/generators.ts';

const versions = {
  'openapi-python-client': '0.29.1',
  'oapi-codegen': 'v2.8.2',
  'oapi-codegen/runtime': 'v1.8.0',
  ogen: 'v1.20.0',
  'openapi-generator': '7.17.0',
  'exec-maven-plugin': '3.5.0',
} as const;

const cache = join(import.meta.dirname, '../../node_modules/.cache/check-clients');
const copyProgram = (from: string, to: string) => copyFileSync(join(programsFolder, 'foreign', from), to);

export const foreignGenerators: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    async build(folder) {
      const python = await pythonWith(`openapi-python-client==${versions['openapi-python-client']}`);
      const options = ['--path', 'openapi.json', '--output-path', 'generated', '--meta', 'none', '--fail-on-warning'];
      const PATH = [python, process.env.PATH].join(delimiter); // the generator calls ruff
      await run(folder, join(python, 'openapi-python-client'), ['generate', ...options], { PYTHONUTF8: '1', PATH });
      await run(folder, join(python, 'python'), ['-m', 'compileall', '-q', 'generated']);
      copyProgram('round.py', join(folder, 'round.py'));
    },
    program: [join(cache, 'python/bin/python'), 'round.py'],
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    async build(folder) {
      const module = `github.com/oapi-codegen/oapi-codegen/v2`;
      const runtime = `github.com/oapi-codegen/runtime ${versions['oapi-codegen/runtime']}`;
      writeGoModule(folder, [`${module} ${versions['oapi-codegen']}`, runtime], `${module}/cmd/oapi-codegen`);
      mkdirSync(join(folder, 'client'));
      await run(folder, 'go', ['mod', 'tidy', '-e'], goEnvironment);
      const options = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.go', 'openapi.json'];
      await run(folder, 'go', ['tool', 'oapi-codegen', ...options], goEnvironment);
      copyProgram('oapi-codegen.go', join(folder, 'main.go'));
      await buildGo(folder, '.');
    },
    program: ['./round'],
  },
  {
    name: 'ogen',
    needs: ['go'],
    async build(folder) {
      const module = 'github.com/ogen-go/ogen';
      writeGoModule(folder, [`${module} ${versions.ogen}`], `${module}/cmd/ogen`);
      await run(folder, 'go', ['mod', 'tidy', '-e'], goEnvironment);
      const options = ['--target', 'client', '--package', 'client', '--clean', 'openapi.json'];
      await run(folder, 'go', ['tool', 'ogen', ...options], goEnvironment);
      copyProgram('ogen.go', join(folder, 'main.go'));
      await buildGo(folder, '.');
    },
    program: ['./round'],
  },
  {
    name: 'openapi-generator-java',
    needs: ['java', 'mvn'],
    async build(folder) {
      // Without the option an empty optional list is sent as an empty list, which is a different request.
      await openApiGenerator(folder, 'java', '.', 'containerDefaultToNull=true');
      copyProgram('Round.java', join(folder, 'src/main/java/Round.java'));
      await run(folder, 'mvn', ['-q', '-B', '-DskipTests', 'compile']);
    },
    program: mavenProgram('Round'),
  },
  {
    name: 'openapi-generator-kotlin',
    needs: ['java', 'mvn'],
    async build(folder) {
      await openApiGenerator(folder, 'kotlin', '.');
      copyProgram('kotlin-pom.xml', join(folder, 'pom.xml'));
      copyProgram('Round.kt', join(folder, 'src/main/kotlin/Round.kt'));
      await run(folder, 'mvn', ['-q', '-B', 'compile']);
    },
    program: mavenProgram('RoundKt'),
  },
  {
    name: 'openapi-generator-go',
    needs: ['java', 'mvn', 'go'],
    async build(folder) {
      await openApiGenerator(folder, 'go', '.');
      mkdirSync(join(folder, 'program'));
      copyProgram('openapi-generator.go', join(folder, 'program/main.go'));
      await buildGo(folder, './program');
    },
    program: ['./round'],
  },
  {
    name: 'openapi-generator-typescript-fetch',
    needs: ['java', 'mvn'],
    async build(folder) {
      await openApiGenerator(folder, 'typescript-fetch', 'generated', 'importFileExtension=.js');
      await compileTypeScript(folder, 'typescript-fetch');
    },
    program: compiledProgram,
  },
];

/** Returns the folder of the commands of a Python environment that has the package. */
async function pythonWith(requirement: string): Promise<string> {
  const environment = join(cache, 'python');
  const commands = join(environment, 'bin');
  mkdirSync(cache, { recursive: true });
  if (!existsSync(join(commands, 'pip'))) await run(cache, 'python3', ['-m', 'venv', environment]);
  await run(cache, join(commands, 'pip'), ['install', '--quiet', requirement, 'ruff']);
  return commands;
}

/** The tools add a program's requirements to its module. */
const goEnvironment = { GOFLAGS: '-mod=mod' } as const;

function writeGoModule(folder: string, requirements: readonly string[], tool: string): void {
  const lines = ['module round', 'go 1.25.0', ...requirements.map((one) => `require ${one}`), `tool ${tool}`];
  writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
}

async function buildGo(folder: string, program: string): Promise<void> {
  await run(folder, 'go', ['mod', 'tidy', '-e'], goEnvironment);
  await run(folder, 'go', ['build', '-o', 'round', program], goEnvironment);
}

async function openApiGenerator(folder: string, language: string, output: string, options?: string): Promise<void> {
  const jar = join(cache, `openapi-generator-cli-${versions['openapi-generator']}.jar`);
  if (!existsSync(jar)) {
    mkdirSync(cache, { recursive: true });
    const artifact = `org.openapitools:openapi-generator-cli:${versions['openapi-generator']}`;
    await run(cache, 'mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.']);
  }
  const more = options === undefined ? [] : ['--additional-properties', options];
  await run(folder, 'java', ['-jar', jar, 'generate', '-i', 'openapi.json', '-g', language, '-o', output, ...more]);
}

function mavenProgram(name: string): readonly string[] {
  const goal = `org.codehaus.mojo:exec-maven-plugin:${versions['exec-maven-plugin']}:java`;
  return ['mvn', '-q', '-B', goal, `-Dexec.mainClass=${name}`];
}
