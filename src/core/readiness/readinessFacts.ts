import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { PolicyRow, ProjectDetail, ProjectKeyRow, StoredPolicy } from "../project/project";
import { type Result, registryFailureText } from "../registry/registryFailure";
import { checkSkill, type ReadSkill } from "../review/checkTeam";
import { type ReviewFiles, requiredCriteria } from "../review/coverage";
import type { Statement, StatementTopic } from "../review/files/reviewFiles";
import type { SkillStanding } from "../review/skillStanding";
import type { Permissions } from "../skill/permissions";
import type { SkillDetail } from "../skill/skill";
import type { SkillAddress } from "../skill/skillAddress";
import { utcDay } from "../text/dates";
import { type Language, type LocalizableText, l10nText } from "../text/language";

/** Why a fact is not known, and the act that settles it. */
export interface Unknown {
  readonly why: LocalizableText;
  readonly act?: Act;
}

/** A fact, or why it is not known. */
export type Fact<Value> = Value | Unknown;

/** Returns whether a fact is not known. */
export function isUnknown(fact: object): fact is Unknown {
  return "why" in fact;
}

/** The acts that settle a question. `statement` adds one to the file of reviews; the others are commands. */
export const acts = {
  reviewSkill: l10nText("Review This Skill…"),
  statement: l10nText("Add a Statement…"),
  signIn: l10nText("Sign In…"),
  chooseProject: l10nText("Choose Project…"),
  setProjectKey: l10nText("Set Project Key…"),
  rotateProjectKey: l10nText("Rotate Project Key…"),
  installSkill: l10nText("Install Skill"),
  editPolicy: l10nText("Edit Policy"),
} as const;

/** The name of an act. */
export type Act = keyof typeof acts;

/** The facts behind the answers to the five questions. None of them is a key or a payload. */
export interface ReadinessFacts {
  readonly now: number;
  readonly skill: SkillDetail;
  /** How records name the registry: its base URL, or `built-in`. */
  readonly registry: string;
  readonly team: Fact<TeamFacts>;
  readonly project: Fact<ProjectFacts>;
  readonly key: Fact<KeyFacts>;
  readonly keyOccurrences: Fact<KeyOccurrences>;
  /** The invocations on record; those of other skills and registries do not count. */
  readonly record: Fact<readonly InvocationRecord[]>;
}

/** The facts about the skill in the team's files. */
export interface TeamFacts {
  readonly files: ReviewFiles;
  /** The text of the reviews, to find the lines of its entries. */
  readonly reviewsText: string;
  /** The skill's standing by the criteria that the policy requires, and by `customer-facing` if the team defines it. */
  readonly standing: SkillStanding;
  /** The files named in statements that exist. */
  readonly existing: ReadonlySet<string>;
}

/** A project's data about the skill and its keys. */
export interface ProjectFacts {
  readonly detail: ProjectDetail;
  /** Undefined if the project has no policy for the skill. */
  readonly policy: PolicyRow | undefined;
  /** The permissions of the pinned version; undefined if they are unknown. */
  readonly permissions: Permissions | undefined;
  /** All keys, including revoked ones. */
  readonly keys: readonly ProjectKeyRow[];
}

/** The known facts about the Project Key in use. */
export interface KeyFacts {
  readonly last4: string;
  /** Whether the registry rejects the key. Undefined if that was not checked or not answered. */
  readonly isRefused: boolean | undefined;
  /** When that was checked, in milliseconds since 1970. */
  readonly at: number;
}

/** Where the Project Key occurs in files. */
export interface KeyOccurrences {
  /** Lines count from 0. */
  readonly found: readonly { readonly file: string; readonly line: number }[];
  readonly searched: number;
  /** Whether every file was searched. Files may be unreadable, too large or too many. */
  readonly isComplete: boolean;
}

/** Reads a project. Every method makes one request and never rejects. */
interface ProjectReader {
  project(slug: string, signal: AbortSignal): Promise<Result<ProjectDetail>>;
  policies(slug: string, signal: AbortSignal): Promise<Result<ReadonlyMap<string, StoredPolicy>>>;
  keys(slug: string, signal: AbortSignal): Promise<Result<readonly ProjectKeyRow[]>>;
  pinnedSkill(
    slug: string,
    skill: string,
    signal: AbortSignal,
  ): Promise<Result<Pick<SkillDetail, "permissions">>>;
}

/** Reads a project's data on a skill. */
export async function projectFacts(
  reader: ProjectReader,
  project: string,
  skill: string,
  language: Language,
  signal: AbortSignal,
): Promise<Fact<ProjectFacts>> {
  const [detail, policies, keys, pinned] = await Promise.all([
    reader.project(project, signal),
    reader.policies(project, signal),
    reader.keys(project, signal),
    reader.pinnedSkill(project, skill, signal),
  ]);
  const failed = [detail, policies, keys].find(({ ok }) => !ok);
  if (!detail.ok || !policies.ok || !keys.ok) {
    const reason = failed?.ok === false ? registryFailureText(failed.failure, language) : "";
    return { why: l10nText("The project could not be read. {reason}", { reason }) };
  }
  return {
    detail: detail.value,
    policy: policies.value.get(skill)?.row,
    permissions: pinned.ok ? pinned.value.permissions : undefined,
    keys: keys.value,
  };
}

/** The sources of a team's files. `digest` is as for `readContract`. */
export interface TeamSources {
  readonly files: ReviewFiles;
  readonly reviewsText: string;
  readonly read: ReadSkill;
  readonly digest: (text: string) => string;
  /** The registry in use, as in a review. */
  readonly registry: string;
  readonly exists: (file: string) => Promise<boolean>;
}

/** Collects the facts about a skill from the team's files. An empty version is the registry's current one. */
export async function teamFacts(
  { slug, version }: SkillAddress,
  { files, reviewsText, read, digest, registry, exists }: TeamSources,
  now: number,
): Promise<TeamFacts> {
  const today = utcDay(now);
  const check = { files: forCustomers(files, slug), read, digest, registry, today };
  const standing = await checkSkill(slug, version === "" ? [] : [version], check);
  const existing = new Set<string>();
  for (const { file } of statementsOf(files, slug).values()) {
    if (file !== undefined && (await exists(file))) existing.add(file);
  }
  return { files, reviewsText, standing, existing };
}

const customerCriterion = "customer-facing";

/** Adds the criterion for customers to the requirements of a skill, if the team defines that criterion. */
function forCustomers(files: ReviewFiles, slug: string): ReviewFiles {
  const { policy } = files;
  if (!Object.hasOwn(policy.criteria, customerCriterion)) return files;
  const require = [...new Set([...requiredCriteria(policy, slug), customerCriterion])];
  return { ...files, policy: { ...policy, skills: { ...policy.skills, [slug]: { require } } } };
}

/** Finds the valid statement about each topic, with its index in the file: the last one. */
export function statementsOf({ reviews }: ReviewFiles, slug: string) {
  const found = new Map<StatementTopic, Statement & { readonly index: number }>();
  for (const [index, review] of reviews.entries()) {
    if (review.kind === "statement" && review.skill === slug) {
      found.set(review.about, { ...review, index });
    }
  }
  return found;
}

/** Folders that tools fill. They are not searched for the key. */
export const skippedFolders: readonly string[] = [".git", ".hg", ".svn", ".venv", "node_modules"];

/** The maximum size of a file. Larger files are not settings that a person wrote. */
const maxBytes = 2_000_000;

/** The files in which the key is searched for. */
interface SearchedFiles {
  /** Relative to the folder, with `/` between their parts. */
  readonly names: readonly string[];
  /** Whether more files exist. */
  readonly hasMore: boolean;
  /** Reads a file as text; undefined if it has more than `maxBytes`. May reject. */
  readonly read: (name: string, maxBytes: number) => Promise<string | undefined>;
}

/** Searches files for the key, one after the other. Stops when the signal fires. */
export async function findKeyOccurrences(
  key: string,
  { names, hasMore, read }: SearchedFiles,
  signal: AbortSignal,
): Promise<KeyOccurrences> {
  const found: { readonly file: string; readonly line: number }[] = [];
  let searched = 0;
  for (const file of names) {
    if (signal.aborted) break;
    const text = await read(file, maxBytes).catch(() => undefined);
    if (text === undefined) continue;
    searched += 1;
    if (!text.includes(key)) continue;
    const lines = text.split("\n").flatMap((line, at) => (line.includes(key) ? [at] : []));
    found.push(...lines.slice(0, maxPlaces).map((line) => ({ file, line })));
  }
  return { found, searched, isComplete: !hasMore && searched === names.length };
}

/** The maximum number of reported lines per file. */
const maxPlaces = 20;
