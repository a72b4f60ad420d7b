import { builtInRegistryName } from "../invocation/record/invocationRecord";
import { projectKeyVariable } from "../registry/credential";
import { policyFileName, reviewFolder, reviewsPath } from "./files/reviewFiles";

/** The services a workflow can be written for. */
export const ciServices = ["github", "gitlab"] as const;

export type CiService = (typeof ciServices)[number];

/** The options of a workflow. */
export interface CiWorkflowOptions {
  /** The registry's address, or `built-in`. */
  readonly registryUrl: string;
}

/** The folder of a repository that holds the command line that its workflow runs. */
export const cliFolder = `${reviewFolder}/bin`;

/**
 * The files of the command line, as they lie beside each other in the extension; without those of agents and queues,
 * which no check needs.
 */
export const cliFiles = [
  "cli.js",
  "commands.js",
  "languageClient.js",
  "languageWorker.js",
  "localRegistryWorker.js",
  "registryClient.js",
  "THIRD_PARTY_NOTICES.txt",
] as const;

/** What else is beside them: a repository of ES modules would take them for such. */
export const cliPackage = ["package.json", `${JSON.stringify({ type: "commonjs" })}\n`] as const;

/** Names the file of a workflow in a repository. */
export function ciWorkflowPath(service: CiService): string {
  return service === "github"
    ? ".github/workflows/skill-registry.yml"
    : ".gitlab/skill-registry.yml";
}

/**
 * Writes a workflow that compares the skills of a repository and the code written for them with its reviews, and
 * runs its suites. Skills are invoked
 * only where somebody starts it by hand, and then only free ones. The command line is in the repository: its name in
 * a package registry could be anybody's.
 */
export function ciWorkflow(service: CiService, { registryUrl }: CiWorkflowOptions): string {
  const url = registryUrl === builtInRegistryName ? registryUrl : plainUrl(registryUrl);
  const variables = [["SKILL_REGISTRY_URL", url]] as const;
  const lines = service === "github" ? githubLines(variables) : gitlabLines(variables);
  return `${lines.join("\n")}\n`;
}

/** An address that cannot contain a CI expression: braces are escaped. */
function plainUrl(url: string): string {
  return new URL(url).href.replaceAll("{", "%7B").replaceAll("$", "%24");
}

type Variables = readonly (readonly [name: string, value: string])[];

const about = [
  "# Compares the skills of this repository, and code written for them, with its reviews, and runs its suites.",
  `# The command line is in ${cliFolder}. Add the workflow again to update it.`,
];

/** Every value is written in quotes, as JSON, which YAML reads the same. */
function variableLines(variables: Variables): readonly string[] {
  return variables.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
}

function command(args: string): string {
  return `node ${cliFolder}/cli.js ${args}`;
}

const live = "test --live --yes --max-cents 0";

/**
 * The files that `check` and `test` need in a repository. Without them, both end with a code of their own and are left
 * out.
 */
const suites = ["**/*.skill-suite.json"];
const reviews = [`${reviewFolder}/${policyFileName}`, reviewsPath];

/** A trigger takes no expression, a job does. */
const onDefaultBranch =
  "    if: github.event_name != 'push' || github.ref_name == github.event.repository.default_branch";

function githubLines(variables: Variables): readonly string[] {
  const prepare = [
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with:",
    "          node-version: 22",
  ];
  const where = (files: readonly string[]) =>
    `        if: hashFiles(${files.map((file) => `'${file}'`).join(", ")}) != ''`;
  const withSuites = where(suites);
  return [
    ...about,
    "name: Skill Registry",
    "on:",
    "  pull_request:",
    "  # Of pushes, those to the default branch alone, whatever it is called: see the jobs.",
    "  push:",
    "  schedule:",
    "    # What a registry says of a skill changes without a commit.",
    '    - cron: "17 5 * * 1-5"',
    "  workflow_dispatch:",
    "permissions:",
    "  contents: read",
    "env:",
    ...variableLines(variables),
    "jobs:",
    "  check:",
    onDefaultBranch,
    "    runs-on: ubuntu-latest",
    "    steps:",
    ...prepare,
    `      - run: ${command("check --format github")}`,
    where(reviews),
    `      - run: ${command("types --check --format github")}`,
    "  test:",
    onDefaultBranch,
    "    runs-on: ubuntu-latest",
    "    steps:",
    ...prepare,
    `      - run: ${command("test --format github")}`,
    withSuites,
    "  # Invokes the skills, for whoever starts the workflow by hand. --max-cents 0 stops before anything costs.",
    "  live:",
    "    if: github.event_name == 'workflow_dispatch'",
    "    runs-on: ubuntu-latest",
    "    steps:",
    ...prepare,
    `      - run: ${command(`${live} --format github`)}`,
    withSuites,
    "        env:",
    `          ${projectKeyVariable}: $\{{ secrets.${projectKeyVariable} }}`,
  ];
}

function gitlabLines(variables: Variables): readonly string[] {
  const job = (name: string, lines: readonly string[]) => [
    `${name}:`,
    "  image: node:22",
    ...lines.map((line) => `  ${line}`),
  ];
  const report = (name: string, args: string) => [
    "script:",
    `  - ${command(args)} > ${name}.xml`,
    "artifacts:",
    "  when: always",
    "  reports:",
    `    junit: ${name}.xml`,
  ];
  const where = (files: readonly string[]) => ["rules:", `  - exists: ${JSON.stringify(files)}`];
  const withSuites = where(suites);
  return [
    ...about,
    `# Include it in .gitlab-ci.yml. ${projectKeyVariable} is a masked variable of the project.`,
    "variables:",
    ...variableLines(variables),
    ...job("skill-registry-check", [...where(reviews), ...report("check", "check --format junit")]),
    ...job("skill-registry-types", report("types", "types --check --format junit")),
    ...job("skill-registry-test", [...withSuites, ...report("test", "test --format junit")]),
    "# Invokes the skills, for whoever starts the job by hand. --max-cents 0 stops before anything costs.",
    ...job("skill-registry-live", [
      ...withSuites,
      "    when: manual",
      "    allow_failure: true",
      ...report("live", `${live} --format junit`),
    ]),
  ];
}
