import { pointerOf, valueAt } from "../json/jsonPointer";
import { type JsonObject, jsonEqual, ownValue } from "../json/jsonValue";
import type { ChangeQuestion } from "../project/changes";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import { addressText } from "../skill/skillAddress";
import { registryReviewText, verificationText } from "../skill/verification";
import { dayText } from "../text/dates";
import { type Language, l10nText } from "../text/language";
import { oneLine } from "../text/plainText";
import type { PublishingStep } from "./manifestProblems";
import type { ManifestFinding } from "./manifestRules";
import type { ReleaseChanges } from "./versionStep";

/** A version of a skill as its publisher sees it. Times are in milliseconds since 1970. */
export interface OwnVersion {
  readonly version: string;
  /** draft, submitted, verified, rejected or another word of the registry; empty if it returns none. */
  readonly status: string;
  /** Undefined if the registry does not return it. */
  readonly manifest: JsonObject | undefined;
  /**
   * queued, approved, rejected, blocked or another word of the registry; left out for a version that was never
   * submitted.
   */
  readonly reviewStatus?: string;
  /** The reviewer's notes. */
  readonly notes?: string;
  readonly dueAt?: number;
  /** The maximum number of working days for a review. */
  readonly reviewDays?: number;
  /** The number of projects that installed it. */
  readonly installs?: number;
  readonly checks: readonly ReviewCheck[];
}

/** The result of one check of a review. The registry wrote all texts. */
export interface ReviewCheck {
  /** passed, warning, failed or another word of the registry. */
  readonly status: string;
  readonly text: string;
  /**
   * The manifest member that was checked, such as `runtime.entrypoint`, or several separated by slashes; empty for
   * none.
   */
  readonly field: string;
}

/** The newest version of one of the publisher's skills. */
export interface OwnSkill extends Pick<OwnVersion, "version" | "status" | "reviewStatus"> {
  readonly slug: string;
  readonly name: string;
}

/** Returns whether a role may publish. True if the registry returns no role, since the registry decides itself. */
export function mayPublish(role: string): boolean {
  return ["owner", "admin", "publisher", ""].includes(role);
}

/** Finds a version of a list. */
export function ownVersion(
  versions: readonly OwnVersion[],
  version: string,
): OwnVersion | undefined {
  return versions.find((item) => isSameVersion(item.version, version));
}

/** Returns whether a version waits for approval. Saving it again replaces what the registry approves. */
function isInReview({ status, reviewStatus = "" }: OwnVersion): boolean {
  const isDecided = ["approved", "rejected", "blocked"].includes(reviewStatus);
  return ["queued", "in_review"].includes(reviewStatus) || (status === "submitted" && !isDecided);
}

/** Returns whether the registry rejects changes of a version. */
function isLocked({ status, reviewStatus, installs = 0 }: OwnVersion): boolean {
  return status === "verified" || reviewStatus === "approved" || installs > 0;
}

/** Returns the newest approved version of a list. */
export function newestApproved(versions: readonly OwnVersion[]): OwnVersion | undefined {
  return versions
    .filter(({ status, reviewStatus }) => status === "verified" || reviewStatus === "approved")
    .reduce<OwnVersion | undefined>((newest, one) => {
      return newest !== undefined && isNewerVersion(newest.version, one.version) ? newest : one;
    }, undefined);
}

/** Describes a version's state in a few words: `Queued, due Nov 30, 2026`. */
export function ownVersionText(
  own: Pick<OwnVersion, "status" | "reviewStatus" | "dueAt">,
  language: Language,
): string {
  const { t } = language;
  const state =
    registryReviewText(own.reviewStatus, language) || verificationText(own.status, language).word;
  const due = dayText(own.dueAt, language);
  const isWaiting = own.reviewStatus === "queued" || own.reviewStatus === "in_review";
  return isWaiting && due !== "" ? t("{state}, due {day}", { state, day: due }) : state;
}

/**
 * Converts a rejecting review into findings, one for each check, at its first field. Skips fields that changed since the
 * rejection. The reviewer's notes appear at the version, or with the only check: it is their cause.
 */
export function rejectionFindings(
  own: OwnVersion,
  manifest: JsonObject,
): readonly ManifestFinding[] {
  const { reviewStatus, notes = "", checks, manifest: before } = own;
  if (reviewStatus !== "rejected" && reviewStatus !== "blocked") return [];
  const failed = checks.filter(({ status }) => status !== "passed");
  const found = failed.flatMap(({ field, text }) => {
    const pointer = pointersOf(field, manifest).find((pointer) =>
      jsonEqual(valueAt(manifest, pointer), valueAt(before, pointer)),
    );
    return pointer === undefined ? [] : [{ pointer, text }];
  });
  const [only] = failed.length === 1 ? found : [];
  const all =
    notes === ""
      ? found
      : only === undefined
        ? [{ pointer: "/version", text: notes }, ...found]
        : [{ ...only, text: joinedText(only.text, notes) }];
  return all.slice(0, maxFindings).map(({ pointer, text }) => ({
    code: "review-rejected",
    severity: "warning",
    pointer,
    message: l10nText("The review rejected {version}: {text}", {
      version: oneLine(own.version, 60),
      text: oneLine(text, 500),
    }),
  }));
}

/** Joins two texts of a review, of which one may repeat the other. */
function joinedText(text: string, notes: string): string {
  if (notes.includes(text)) return notes;
  return text.includes(notes) ? text : `${text} ${notes}`;
}

/**
 * Names the members of a manifest that changed since a version that was submitted for review, without the version
 * itself. Empty if the version was never submitted, or its manifest is not known.
 */
export function changedSinceText(
  { reviewStatus, manifest: before }: OwnVersion,
  manifest: JsonObject | undefined,
  { t }: Language,
): string {
  if (reviewStatus === undefined || before === undefined || manifest === undefined) return "";
  const names = [...new Set([...Object.keys(before), ...Object.keys(manifest)])].filter(
    (name) => name !== "version" && !jsonEqual(ownValue(before, name), ownValue(manifest, name)),
  );
  if (names.length === 0) return t("Your manifest is the same.");
  return t("Changed in your manifest: {names}", { names: oneLine(names.join(", "), 200) });
}

/** The maximum number of findings from one review. */
const maxFindings = 40;

/** Returns pointers to the fields that the registry names and the manifest has. */
function pointersOf(field: string, manifest: JsonObject): readonly string[] {
  return field
    .split("/")
    .map((path) => pointerOf(path.split(".")))
    .filter((pointer) => valueAt(manifest, pointer) !== undefined);
}

/** The facts about a version that is about to be saved or submitted. */
export interface PublishingState {
  /** Identifies the user's session. */
  readonly account: string;
  readonly slug: string;
  readonly version: string;
  /** The versions at the registry; empty for a new skill. */
  readonly versions: readonly OwnVersion[];
  /** The changes for users; undefined without an approved version, or if it could not be read. */
  readonly changes: ReleaseChanges | undefined;
  readonly warnings: number;
}

/** Returns why the registry would reject this version; undefined if it would accept it. */
export function whyNotPublished(
  { slug, version, versions }: PublishingState,
  step: PublishingStep,
  { t }: Language,
): string | undefined {
  const own = ownVersion(versions, version);
  const skill = addressText(slug, version);
  if (own === undefined) return undefined;
  if (isLocked(own)) {
    return t(
      "{skill} is approved or installed, so it can no longer be changed. Raise its version.",
      {
        skill,
      },
    );
  }
  if (step === "save" || !isInReview(own)) return undefined;
  return t("{skill} is in review already. To overwrite what is reviewed, save a draft.", { skill });
}

/**
 * Builds the question before a step. Saving a draft needs one for a new name, and while its version is in review.
 * Undefined if no question is needed, or if the state still equals `asked`, the state of an earlier answer.
 */
export function publishingQuestion(
  state: PublishingState,
  step: PublishingStep,
  asked: PublishingState | undefined,
  language: Language,
): ChangeQuestion | undefined {
  const isSame = asked?.account === state.account && jsonEqual(asked.versions, state.versions);
  if (isSame) return undefined;
  return step === "save" ? saveQuestion(state, language) : submitQuestion(state, language);
}

function saveQuestion(
  { slug, version, versions }: PublishingState,
  language: Language,
): ChangeQuestion | undefined {
  const { t } = language;
  if (versions.length === 0) {
    return {
      message: t("Publish the name {name}?", { name: slug }),
      detail: [
        newNameText(language),
        t("Display name, description and tags are public from the first submission at the latest."),
        t("Later saves do not ask."),
      ],
      agree: t("Save Draft"),
    };
  }
  const before = ownVersion(versions, version);
  if (before === undefined || !isInReview(before)) return undefined;
  return {
    message: t("Overwrite {skill}, which is in review?", { skill: addressText(slug, version) }),
    detail: [
      t(
        "Reviewers may have read what is there now. The registry does not repeat its checks, and approves what was saved last.",
      ),
      t("To keep the version in review unchanged, raise the version and save that one."),
    ],
    agree: t("Overwrite"),
  };
}

function newNameText({ t }: Language): string {
  return t("From now on, the name belongs to your organization.");
}

/** Returns whether a registry may list a skill already: a draft is not listed before its first submission. */
function wasSubmitted(versions: readonly OwnVersion[]): boolean {
  return versions.some(
    ({ status, reviewStatus }) => reviewStatus !== undefined || !["draft", ""].includes(status),
  );
}

/** Builds the question before a submission, which cannot be undone. */
function submitQuestion(state: PublishingState, language: Language): ChangeQuestion {
  const { t } = language;
  const { slug, version, versions, changes, warnings } = state;
  const days = versions.find(({ reviewDays }) => reviewDays !== undefined)?.reviewDays;
  const approved = newestApproved(versions);
  const count = versions.reduce((sum, { installs = 0 }) => sum + installs, 0);
  return {
    message: t("Submit {skill} for review?", { skill: addressText(slug, version) }),
    detail: [
      versions.length === 0 ? newNameText(language) : "",
      wasSubmitted(versions)
        ? ""
        : t(
            "The manifest is public from now on, and so are display name, description and tags of each later draft.",
          ),
      approved === undefined
        ? t("Until the decision, no version of this skill can be invoked or installed.")
        : t(
            "Until the decision, no project can invoke or install any version of this skill, {approved} included. Installations: {count}.",
            { approved: oneLine(approved.version, 60), count },
          ),
      days === undefined
        ? t("The registry does not say how long a review takes.")
        : t("A review takes up to {days} working days.", { days }),
      t("A submission cannot be withdrawn."),
      changeLines(approved, changes, language),
      warnings === 0
        ? ""
        : t("Warnings that reviewers will see: {count}. They are in the Problems view.", {
            count: warnings,
          }),
    ].filter((paragraph) => paragraph.length > 0),
    agree: t("Submit for Review"),
  };
}

/** The maximum number of lines in a dialog. */
const maxLines = 5;

function changeLines(
  approved: OwnVersion | undefined,
  changes: ReleaseChanges | undefined,
  { t }: Language,
): string | readonly string[] {
  if (changes === undefined) {
    return approved === undefined ? "" : t("It was not compared with the approved version.");
  }
  const { lines, step } = changes;
  if (step === "none") return t("Nothing changes for its users.");
  if (lines.length === 0) return t("Only its texts change.");
  const more = lines.length - maxLines;
  return [
    t("What changes for its users:"),
    ...lines.slice(0, maxLines),
    ...(more > 0 ? [t("And {count} more changes.", { count: more })] : []),
  ];
}
