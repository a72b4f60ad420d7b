import type { Language } from "../text/language";
import { localize } from "../text/localizableText";
import type { Fact } from "./readinessFacts";

/** How an item of a question is answered. Without evidence it is not known; there is no score. */
export type ItemState = "met" | "notMet" | "notKnown" | "notApplicable";

/** Something that can be looked at, and when it was so, in milliseconds since 1970. */
export type Evidence = { readonly at: number } & (
  | { readonly kind: "skill"; readonly slug: string }
  /** A line, from 0, of a file of the repository; the whole file where it names none. */
  | { readonly kind: "file"; readonly file: string; readonly line?: number }
  | {
      readonly kind: "project";
      readonly part: "policy" | "key" | "invocations";
      readonly project: string;
      /** What of that part: a key's name and last characters, a skill. */
      readonly name: string;
    }
  /** `id` names it in the record. */
  | { readonly kind: "invocation"; readonly id: string; readonly invocationId?: string }
  | { readonly kind: "setting"; readonly name: string }
  /** What a registry answered to the Project Key. */
  | { readonly kind: "registry"; readonly name: string }
  /** So many files were searched. */
  | { readonly kind: "files"; readonly count: number }
);

/** One thing that was looked at. */
export interface ReadinessItem {
  /** A stable code, unique over all questions. */
  readonly id: string;
  readonly state: ItemState;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** What is said of an item beside its code. */
export type ItemVerdict = Omit<ReadinessItem, "id">;

/** Judges an item by a fact, which is not known where the fact is not. */
export function byFact<Value>(
  id: string,
  fact: Fact<Value>,
  language: Language,
  judge: (value: Value, at: number) => ItemVerdict,
): ReadinessItem {
  if (!fact.isKnown) return { id, ...withoutEvidence(localize(fact.why, language)) };
  return { id, ...judge(fact.value, fact.at) };
}

/** A verdict for want of evidence. */
export function withoutEvidence(message: string): ItemVerdict {
  return { state: "notKnown", message, evidence: [] };
}
