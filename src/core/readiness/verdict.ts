import type { Act } from "./readinessFacts";

/** The answer to a question. Without evidence it is unknown; the report gives no score. */
export type ReadinessState = "yes" | "no" | "notKnown";

/** The result of a check, and the answer to a question. */
export interface Verdict {
  readonly state: ReadinessState;
  /** One sentence. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** What settles a question that is not answered with yes; left out for nothing. */
  readonly act?: Act;
}

/** What proves an answer, and its time in milliseconds since 1970. */
export interface Evidence {
  readonly label: string;
  readonly at: number;
  /** Left out if nothing can be opened. */
  readonly link?: EvidenceLink;
}

/** A file in the repository, or one of its lines counted from 0; or a command or view, with its argument. */
export type EvidenceLink =
  | { readonly file: string; readonly line?: number }
  | {
      readonly opens: "openSkill" | "openInvocation" | "checkProjectKey" | "project";
      readonly argument?: string | { readonly id: string };
    };

/** Creates a verdict with evidence, and with the act that mends a fault. */
export function proven(
  isGood: boolean,
  message: string,
  evidence: readonly Evidence[],
  act?: Act,
): Verdict {
  const isMended = !isGood && act !== undefined;
  return { state: isGood ? "yes" : "no", message, evidence, ...(isMended && { act }) };
}

/** Creates the verdict of a check without evidence. */
export function unproven(message: string, act?: Act): Verdict {
  return { state: "notKnown", message, evidence: [], ...(act !== undefined && { act }) };
}
