import { isJsonObject, parsedJson } from "../json/jsonValue";
import { projectKeyVariable } from "../registry/credential";
import { builtInRegistryName } from "../registry/registryName";
import { isVersion } from "../skill/skillAddress";
import { policyFileName, reviewFolder, reviewsPath } from "./files/reviewFiles";

/** The services a workflow can be written for. */
export const ciServices = ["github", "gitlab"] as const;

export type CiService = (typeof ciServices)[number];

/** The published command line: an npm package, and the same file on a release's page. */
export interface PublishedCli {
  readonly name: string;
  readonly version: string;
  /** The file's address and its SHA-256 in hex; left out if this build was not released. */
  readonly file?: { readonly url: string; readonly sha256: string };
}

/** The options of a workflow. */
interface CiWorkflowOptions {
  /** The registry's address, or `built-in`. */
  readonly registryUrl: string;
  readonly cli: PublishedCli;
  /** Whether to download the file and check its hash, instead of using npm. */
  readonly isDownloaded?: boolean;
}

/** Reads the build's data about the command line. Undefined for none. */
export function readPublishedCli(text: string): PublishedCli | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const { name, version, file } = value;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  if (!/^[a-z][\w-]*$/.test(name) || !isVersion(version)) return undefined;
  if (!isJsonObject(file)) return { name, version };
  const { url, sha256 } = file;
  if (typeof url !== "string" || typeof sha256 !== "string") return undefined;
  // The address and the hash become part of a shell line, so nothing that a shell interprets is allowed.
  const isPlain = /^https:\/\/[\w.:/@%-]+$/.test(url) && /^[0-9a-f]{64}$/.test(sha256);
  return isPlain ? { name, version, file: { url, sha256 } } : undefined;
}

/** Names the file of a workflow in a repository. */
export function ciWorkflowPath(service: CiService): string {
  return service === "github"
    ? ".github/workflows/skill-registry.yml"
    : ".gitlab/skill-registry.yml";
}

/**
 * Writes a workflow that compares the skills and clients of a repository with its reviews, and runs its suites. It
 * invokes skills only if a person starts it by hand, and only free ones. It pins the version of the command line.
 */
export function ciWorkflow(service: CiService, options: CiWorkflowOptions): string {
  const { registryUrl, cli, isDownloaded = false } = options;
  const url = registryUrl === builtInRegistryName ? registryUrl : plainUrl(registryUrl);
  const variables = [["SKILL_REGISTRY_URL", url]] as const;
  const file = isDownloaded ? cli.file : undefined;
  const program: Program = {
    setup: file === undefined ? [] : setupLines(file),
    command: (args) =>
      file === undefined
        ? `npx --yes ${cli.name}@${cli.version} ${args}`
        : `node ${setupFolder}/package/dist/cli.js ${args}`,
  };
  const write = service === "github" ? githubLines : gitlabLines;
  return `${write(variables, program).join("\n")}\n`;
}

/** Escapes an address so that it contains no CI expression. */
function plainUrl(url: string): string {
  return new URL(url).href.replaceAll("{", "%7B").replaceAll("$", "%24");
}

type Variables = readonly (readonly [name: string, value: string])[];

/** How a workflow runs the command line. */
interface Program {
  /** The shell lines that come first; none for npx. */
  readonly setup: readonly string[];
  readonly command: (args: string) => string;
}

/** A folder outside the repository, so that the downloaded files do not change it. */
const setupFolder = "/tmp/skill-registry";

/** Returns shell lines that download the file, and fail if its hash differs from this version's. */
function setupLines({ url, sha256 }: { readonly url: string; readonly sha256: string }) {
  return [
    `mkdir -p ${setupFolder}`,
    `curl -fsSL -o ${setupFolder}/cli.tgz ${url}`,
    `echo "${sha256}  ${setupFolder}/cli.tgz" | sha256sum --check`,
    `tar -xzf ${setupFolder}/cli.tgz -C ${setupFolder}`,
  ];
}

const about = [
  "# Compares the skills of this repository, and code written for them, with its reviews, and runs its suites.",
  "# Add the workflow again to update the command line.",
];

/** Writes variables with their values as JSON strings, which YAML reads the same way. */
function variableLines(variables: Variables): readonly string[] {
  return variables.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
}

const live = "test --live --yes --max-cents 0";

/**
 * The files that `test` and `check` need in a repository. Without them, a command exits with an error code, so the
 * workflow skips it.
 */
const suites = ["**/*.skill-suite.json"];
const reviews = [`${reviewFolder}/${policyFileName}`, reviewsPath];

/**
 * After a push, runs the job only on the default branch, whatever its name is. This is a condition of the job because a
 * trigger accepts no expression.
 */
const onDefaultBranch =
  "    if: github.event_name != 'push' || github.ref_name == github.event.repository.default_branch";

function githubLines(variables: Variables, { setup, command }: Program): readonly string[] {
  const prepare = [
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with:",
    "          node-version: 22",
    ...(setup.length === 0 ? [] : ["      - run: |", ...setup.map((line) => `          ${line}`)]),
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

function gitlabLines(variables: Variables, { setup, command }: Program): readonly string[] {
  const before = setup.map((line) => `    - ${JSON.stringify(line)}`);
  const job = (name: string, lines: readonly string[]) => [
    `${name}:`,
    "  image: node:22",
    ...(setup.length === 0 ? [] : ["  before_script:", ...before]),
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
