import type { PredictedResponse } from "../../project/gateway/projectChecks";
import type { InvocationRecord } from "../record/invocationRecord";
import type { RecordQuery } from "../record/recordQuery";
import type { CachedPolicy } from "./canInvoke";

/** Whether the skill can be invoked, as text, before any invocation is made. */
export interface Callability {
  /** `probably`: nothing that is known blocks it, but not all is known. */
  readonly kind: "yes" | "no" | "probably" | "unknown";
  /** The answer to “Can I invoke it?”. */
  readonly word: string;
  /** The code with which the registry would reject an invocation; empty for none. */
  readonly code: string;
  /** The reason, and what to do about it. */
  readonly text: string;
  /** The source of the answer; empty if unknown. */
  readonly source: string;
  /** Whether setting a Project Key would help. */
  readonly needsKey: boolean;
  /** A warning before an invocation, shown with any verdict; empty for none. */
  readonly warning: string;
  /** How the response to an invocation contradicts the skill's stated status; empty for no contradiction. */
  readonly statusConflict: string;
}

/** Returns whether anything is known about invoking the skill: from a registry, this machine or an invocation. */
export function isAnythingKnown({ kind, source, warning, statusConflict }: Callability): boolean {
  return kind !== "unknown" || [source, warning, statusConflict].some((text) => text !== "");
}

/** A project's verdict on invoking the version it runs. */
export interface ProjectVerdict {
  readonly prediction: PredictedResponse;
  /** The version that the project runs; left out if the skill is not installed or its version is unknown. */
  readonly version?: string;
  /** The status of the install; empty without one. */
  readonly status: string;
  /** When it was read, in milliseconds since 1970. */
  readonly at: number;
}

/** The known facts besides the skill itself. Never holds a Project Key. */
export interface CallabilityFacts {
  /** Whether a Project Key is stored for the registry; undefined if unknown. */
  readonly hasKey: boolean | undefined;
  /** Past invocations of the skill at this registry, newest first. */
  readonly invocations: readonly InvocationRecord[];
  /** What the last check of the key in use returned for this skill, if there was a check. */
  readonly policy?: CachedPolicy;
  readonly project?: ProjectVerdict;
  /** Whether the key belongs to another project than the chosen one. Nothing is known of that other project. */
  readonly isOfUnknownProject?: boolean;
  /**
   * Whether this is a test run. It may use another project's key, so a rejection that this project predicts may not
   * apply.
   */
  readonly isTestRun?: boolean;
  /** Whether this is the built-in registry. It executes what it accepts, so it needs no warning about that. */
  readonly isBuiltIn?: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Returns the query for the last invocations of a skill at a registry, which is named as in records. */
export function recentOf(registry: string, skillSlug: string): RecordQuery {
  return { registry, skills: [skillSlug], limit: maxRecent };
}

/** The maximum number of past invocations to read. More inconclusive ones in a row are rare. */
const maxRecent = 200;
