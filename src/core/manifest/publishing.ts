import { childAt, pointerOf, valueAt } from "../json/jsonPointer";
import { type JsonObject, jsonEqual } from "../json/jsonValue";
import { isNewerVersion, isSameVersion } from "../skill/isNewerVersion";
import { l10nText } from "../text/language";
import { oneLine } from "../text/plainText";
import type { ManifestFinding } from "./manifestRules";

/** A version of a skill as its publisher sees it. Times are in milliseconds since 1970. */
export interface OwnVersion {
  readonly version: string;
  /** draft, submitted, verified, rejected or the registry's own word; empty where it returns none. */
  readonly status: string;
  /** Undefined where the registry does not return it. */
  readonly manifest: JsonObject | undefined;
  /** queued, approved, rejected, blocked or the registry's own word; left out where it was never submitted. */
  readonly reviewStatus?: string;
  /** What the reviewer wrote. */
  readonly notes?: string;
  readonly dueAt?: number;
  /** How many working days a review takes at most. */
  readonly reviewDays?: number;
  /** In how many projects it is installed. */
  readonly installs?: number;
  readonly checks: readonly ReviewCheck[];
}

/** What one check of a review found. All texts are the registry's. */
export interface ReviewCheck {
  /** passed, warning, failed or the registry's own word. */
  readonly status: string;
  readonly text: string;
  /** The member it is about, such as `runtime.entrypoint`, or several with a slash between; empty for none. */
  readonly field: string;
}

/** Returns whether a role may publish. A registry that returns no role decides itself. */
export function mayPublish(role: string): boolean {
  return ["owner", "admin", "publisher", ""].includes(role);
}

/** Finds a version of a list. */
export function ownVersion(
  versions: readonly OwnVersion[],
  version: string,
): OwnVersion | undefined {
  return versions.find((one) => isSameVersion(one.version, version));
}

/** Returns the newest approved version of a list. */
export function newestApproved(versions: readonly OwnVersion[]): OwnVersion | undefined {
  return versions
    .filter(({ status, reviewStatus }) => status === "verified" || reviewStatus === "approved")
    .reduce<OwnVersion | undefined>((newest, one) => {
      return newest !== undefined && isNewerVersion(newest.version, one.version) ? newest : one;
    }, undefined);
}

/**
 * Lists what a review that rejected a version found, at the fields that are still as they were rejected; the notes of the
 * reviewer at the version.
 */
export function rejectionFindings(
  one: OwnVersion,
  manifest: JsonObject,
): readonly ManifestFinding[] {
  const { reviewStatus, notes = "", checks, manifest: before } = one;
  if (reviewStatus !== "rejected" && reviewStatus !== "blocked") return [];
  const found = checks
    .filter(({ status }) => status !== "passed")
    .flatMap(({ field, text }) => {
      const pointers = pointersOf(field, manifest).filter((pointer) =>
        jsonEqual(valueAt(manifest, pointer), valueAt(before, pointer)),
      );
      return pointers.map((pointer) => ({ pointer, text }));
    });
  const all = [...(notes === "" ? [] : [{ pointer: "/version", text: notes }]), ...found];
  return all.slice(0, maxFindings).map(({ pointer, text }) => ({
    code: "review-rejected",
    severity: "warning",
    pointer,
    message: l10nText("The review rejected {version}: {text}", {
      version: oneLine(one.version, 60),
      text: oneLine(text, 500),
    }),
  }));
}

/** More of one review are not shown. */
const maxFindings = 40;

/** The fields that a registry names, as far as the manifest has them. */
function pointersOf(field: string, manifest: JsonObject): readonly string[] {
  return field.split("/").flatMap((path) => {
    const steps = path.split(".").slice(0, 10);
    const isThere =
      steps.length > 0 &&
      steps.reduce(childOf, manifest as ReturnType<typeof childAt>) !== undefined;
    return isThere ? [pointerOf(steps)] : [];
  });
}

function childOf(value: ReturnType<typeof childAt>, step: string) {
  return childAt(value, step);
}
