import diff from "semver/functions/diff";
import lt from "semver/functions/lt";
import rsort from "semver/functions/rsort";
import satisfies from "semver/functions/satisfies";
import valid from "semver/functions/valid";
import validRange from "semver/ranges/valid";
import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { InputReader } from "../runtime/inputReader";
import { failed, type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const versions = reader.texts("versions", { max: 1000 });
  const range = reader.text("range", { min: 1, max: 256 });
  const current = reader.text("current", { fallback: "", max: 256 });
  const includePrerelease = reader.flag("includePrerelease", false);
  const prefer = reader.choice("prefer", ["highest", "lowest"]);
  if (current !== "" && valid(current) === null) reader.reject("current", "is no version");
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  if (validRange(range) === null) return failed(`"${range}" is not a version range.`);

  const readable = versions.filter((version) => valid(version) !== null);
  const matching = readable.filter((version) => satisfies(version, range, { includePrerelease }));
  const sorted = rsort([...new Set(matching)]);
  const resolved = sorted.at(prefer === "highest" ? 0 : -1) ?? null;
  const step = resolved !== null && current !== "" ? diff(current, resolved) : null;
  return succeeded({
    resolved,
    matching: sorted,
    notMatching: readable.filter((version) => !matching.includes(version)),
    invalid: versions.filter((version) => !readable.includes(version)),
    change: step ?? "none",
    isDowngrade: resolved !== null && current !== "" && lt(resolved, current),
  });
};

const version = { type: "string", minLength: 1, maxLength: 256 };
const inputSchema = {
  $schema: schemaDialect,
  title: "Versions to choose from",
  type: "object",
  required: ["versions", "range"],
  additionalProperties: false,
  properties: {
    versions: {
      type: "array",
      title: "Versions",
      description: "The versions there are, in any order. What is not a version is listed apart.",
      items: version,
      minItems: 1,
      maxItems: 1000,
    },
    range: {
      ...version,
      title: "Range",
      description: "The range that must hold, as package managers write it.",
      examples: ["^1.4.0", ">=2 <3", "1.x || >=2.5.0"],
    },
    current: {
      ...version,
      title: "Current version",
      description: "The version in use now, to tell what the change would be.",
      pattern: "^v?\\d+\\.\\d+\\.\\d+",
    },
    includePrerelease: {
      type: "boolean",
      title: "Include pre-releases",
      description: "Whether versions such as 2.0.0-beta.1 may be chosen.",
      default: false,
    },
    prefer: {
      enum: ["highest", "lowest"],
      title: "Which one to choose",
      description: "Of the versions that match, the highest or the lowest one.",
      default: "highest",
    },
  },
};

const versions = { type: "array", items: { type: "string" } };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["resolved", "matching", "notMatching", "invalid", "change", "isDowngrade"],
  properties: {
    resolved: {
      type: ["string", "null"],
      description: "The chosen version, null if none matches.",
    },
    matching: { ...versions, description: "The versions in the range, highest first." },
    notMatching: versions,
    invalid: { ...versions, description: "Texts that are not versions." },
    change: {
      enum: ["none", "patch", "minor", "major", "prepatch", "preminor", "premajor", "prerelease"],
      description: "The step from the current version to the chosen one.",
    },
    isDowngrade: { type: "boolean" },
  },
};

/** Chooses the version a range asks for. */
export const semverResolve: Skill = {
  slug: "semver-resolve",
  displayName: "Resolve a version range",
  description:
    "Chooses, from a list of versions, the one a range such as ^1.4.0 asks for, and says how big the step from the current version would be.",
  tags: ["semver", "dependencies", "release"],
  category: "dev",
  publisher: "night-shift-tools",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-05-20T16:25:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 431, invocationCount: 17_340, successRate: 0.989, avgLatencyMs: 5 },
  feedback: [
    {
      rating: 5,
      text: "Saved us a script nobody wanted to own.",
      author: "Build crew",
      createdAt: "2026-06-08T07:12:00Z",
    },
    {
      rating: 3,
      text: "Please support date versions as well.",
      author: "K. Ito",
      createdAt: "2026-08-14T20:03:00Z",
    },
  ],
  releases: [
    {
      version: "1.3.1",
      publishedAt: "2026-05-18T08:00:00Z",
      changes: "Versions listed twice count once.",
      runtime: { type: "mcp", serverUrl: "https://mcp.night-shift-tools.example/semver" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "Newest compatible version",
          input: {
            versions: ["1.3.9", "1.4.0", "1.4.2", "1.10.0", "2.0.0", "2.1.0-beta.1", "latest"],
            range: "^1.4.0",
            current: "1.4.0",
          },
          output: {
            resolved: "1.10.0",
            matching: ["1.10.0", "1.4.2", "1.4.0"],
            notMatching: ["1.3.9", "2.0.0", "2.1.0-beta.1"],
            invalid: ["latest"],
            change: "minor",
            isDowngrade: false,
          },
        },
        {
          name: "Lowest version, pre-releases included",
          input: {
            versions: ["2.0.0", "2.1.0-beta.1", "2.1.0"],
            range: ">=2.1.0-alpha <3",
            includePrerelease: true,
            prefer: "lowest",
          },
          output: {
            resolved: "2.1.0-beta.1",
            matching: ["2.1.0", "2.1.0-beta.1"],
            notMatching: ["2.0.0"],
            invalid: [],
            change: "none",
            isDowngrade: false,
          },
        },
      ],
      run,
    },
  ],
};
