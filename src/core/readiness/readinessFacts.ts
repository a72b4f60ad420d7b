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

/** A fact with the time it was determined, in milliseconds since 1970, or why it is unknown. */
export type Fact<Value> =
  | { readonly isKnown: true; readonly value: Value; readonly at: number }
  | {
      readonly isKnown: false;
      readonly why: LocalizableText;
      readonly addition?: ReadinessAddition;
    };

/** Creates a known fact. */
export function known<Value>(value: Value, at: number): Extract<Fact<Value>, { isKnown: true }> {
  return { isKnown: true, value, at };
}

/** Creates an unknown fact, with the reason and the remedy. */
export function notKnown(why: LocalizableText, addition?: ReadinessAddition): Fact<never> {
  return { isKnown: false, why, ...(addition !== undefined && { addition }) };
}

/** The facts behind the answers to the five questions. None of them is a key or a payload. */
export interface ReadinessFacts {
  readonly now: number;
  readonly skill: SkillDetail;
  /** How records name the registry: its base URL, or `built-in`. */
  readonly registry: string;
  readonly folder: Fact<TeamFacts>;
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
export interface ProjectReader {
  readonly project: (slug: string, signal: AbortSignal) => Promise<Result<ProjectDetail>>;
  readonly policies: (
    slug: string,
    signal: AbortSignal,
  ) => Promise<Result<ReadonlyMap<string, StoredPolicy>>>;
  readonly keys: (slug: string, signal: AbortSignal) => Promise<Result<readonly ProjectKeyRow[]>>;
  readonly pinnedSkill: (
    slug: string,
    skill: string,
    signal: AbortSignal,
  ) => Promise<Result<Pick<SkillDetail, "permissions">>>;
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
  for (const read of [detail, policies, keys]) {
    if (!read.ok) {
      const reason = registryFailureText(read.failure, language);
      return notKnown(l10nText("The project could not be read. {reason}", { reason }));
    }
  }
  if (!detail.ok || !policies.ok || !keys.ok) throw new Error("A failure was passed over.");
  const value = {
    detail: detail.value,
    policy: policies.value.get(skill)?.row,
    permissions: pinned.ok ? pinned.value.permissions : undefined,
    keys: keys.value,
  };
  return known(value, Date.now());
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
): Promise<Fact<TeamFacts>> {
  const today = utcDay(now);
  const check = { files: forCustomers(files, slug), read, digest, registry, today };
  const standing = await checkSkill(slug, version === "" ? [] : [version], check);
  const existing = new Set<string>();
  for (const { file } of statementsOf(files, slug).values()) {
    if (file !== undefined && (await exists(file))) existing.add(file);
  }
  return known({ files, reviewsText, standing, existing }, now);
}

const customerCriterion = "customer-facing";

/** Adds the criterion for customers to the requirements of a skill, if the team defines that criterion. */
function forCustomers(files: ReviewFiles, slug: string): ReviewFiles {
  const { policy } = files;
  if (!Object.hasOwn(policy.criteria, customerCriterion)) return files;
  const require = [...new Set([...requiredCriteria(policy, slug), customerCriterion])];
  return { ...files, policy: { ...policy, skills: { ...policy.skills, [slug]: { require } } } };
}

/** Finds the valid statement about each topic: the last one. */
export function statementsOf(
  { reviews }: ReviewFiles,
  slug: string,
): ReadonlyMap<StatementTopic, Statement & { readonly index: number }> {
  const found = new Map<StatementTopic, Statement & { readonly index: number }>();
  for (const [index, review] of reviews.entries()) {
    if (review.kind !== "statement" || review.skill !== slug) continue;
    found.set(review.about, { ...review, index });
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
): Promise<Fact<KeyOccurrences>> {
  const found: { readonly file: string; readonly line: number }[] = [];
  let searched = 0;
  for (const file of names) {
    if (signal.aborted) break;
    const text = await read(file, maxBytes).catch(() => undefined);
    if (text === undefined) continue;
    searched += 1;
    found.push(...keyLines(text, key).map((line) => ({ file, line })));
  }
  const isComplete = !hasMore && searched === names.length;
  return known({ found, searched, isComplete }, Date.now());
}

/** The maximum number of reported lines per file. */
const maxPlaces = 20;

/** Finds the lines, from 0, in which a text contains the key. */
function keyLines(text: string, key: string): readonly number[] {
  const lines: number[] = [];
  let line = 0;
  let counted = 0;
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === 0x0a) line += 1;
    if (lines.at(-1) !== line) lines.push(line);
    if (lines.length === maxPlaces) break;
  }
  return lines;
}

/** The answer to a question. Without evidence it is unknown; the report gives no score. */
export type ReadinessState = "yes" | "no" | "notKnown";

/** Verifiable evidence, and its time, in milliseconds since 1970. */
export type Evidence = { readonly at: number } & (
  | { readonly kind: "skill"; readonly slug: string }
  /** A file in the repository, or one of its lines, counted from 0. */
  | { readonly kind: "file"; readonly file: string; readonly line?: number }
  | {
      readonly kind: "project";
      readonly part: "policy" | "key" | "invocations";
      readonly project: string;
      /** The name of the item: that of a key with its last characters, or of a skill. */
      readonly name: string;
    }
  | { readonly kind: "invocation"; readonly id: string; readonly invocationId?: string }
  /** The registry's response to a request with the Project Key. */
  | { readonly kind: "registry"; readonly name: string }
  | { readonly kind: "files"; readonly count: number }
);

/**
 * The remedy for an unknown fact: review the skill (which creates the files), add a statement, sign in, choose a
 * project, or set the Project Key.
 */
export type ReadinessAddition = "review" | "statement" | "signIn" | "project" | "key";

/** The result of a check, and the answer to a question. */
export interface Verdict {
  readonly state: ReadinessState;
  /** One sentence. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** The remedy; left out for none. */
  readonly addition?: ReadinessAddition;
}

/** The context of a check. Its fact was determined at `at`. */
export interface Judging {
  readonly at: number;
  readonly facts: ReadinessFacts;
  readonly language: Language;
}

/** Judges a known fact. Undefined if it shows no fault and proves nothing. */
export type Judge<Value> = (value: Value, judging: Judging) => Verdict | undefined;

/** Creates the verdict of a check without evidence. */
export function withoutEvidence(message: string): Verdict {
  return { state: "notKnown", message, evidence: [] };
}
