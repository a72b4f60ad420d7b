import type { Notice } from "../text/notice";

/** What is known about the Project Key for a registry, without the key. */
export interface KeyFacts {
  /** How the registry is named on screen. */
  readonly registryName: string;
  /** Where the key is, or why there is none to use. */
  readonly state: "none" | "wrongKind" | "stored" | "sessionOnly" | "builtIn" | "storageFails";
  /** What is wrong with a key of the wrong kind; holds no key. */
  readonly problem?: string;
  /** Other registries a key is kept for. */
  readonly elsewhere: readonly string[];
  /** What the registry said of this key when it was last used, in this window. */
  readonly lastAnswer?: "accepted" | "refused";
  /** What the registry says of the key now, where it can be asked without a call. */
  readonly reading?: KeyReading;
}

/** The answer to a free reading of what a key may call. */
export type KeyReading =
  | { readonly kind: "accepted"; readonly skills: number }
  | { readonly kind: "refused" }
  | { readonly kind: "unknown" };

const setKey = { action: "setProjectKey", title: "Set Project Key…" } as const;
const connect = { action: "connect", title: "Connect to Registry…" } as const;

/** Says how it is with the Project Key and what to do, without ever showing it. */
export function keyDiagnosis(facts: KeyFacts): Notice {
  const { registryName: name } = facts;
  switch (facts.state) {
    case "storageFails":
      return {
        severity: "warning",
        message: `The editor's secret storage does not answer, so no Project Key for ${name} can be read. A key that you set now lasts until this window closes and is written nowhere.`,
        steps: [setKey],
      };
    case "wrongKind":
      return {
        severity: "error",
        message: `What is kept as Project Key for ${name} is none. ${facts.problem ?? ""}`.trim(),
        steps: [setKey],
      };
    case "none":
      return noKeyNotice(facts);
    default:
      return keyNotice(facts);
  }
}

function noKeyNotice({ registryName: name, elsewhere }: KeyFacts): Notice {
  if (elsewhere.length === 0) {
    const message = `There is no Project Key for ${name}. It is asked for with the first call.`;
    return { severity: "information", message, steps: [setKey] };
  }
  return {
    severity: "warning",
    message: `There is no Project Key for ${name}. Keys are kept for ${elsewhere.slice(0, 3).join(", ")}; they belong there and are not sent here.`,
    steps: [setKey, connect],
  };
}

function keyNotice(facts: KeyFacts): Notice {
  const { registryName: name } = facts;
  const place = placeWords(facts.state);
  if (facts.reading?.kind === "refused" || (!facts.reading && facts.lastAnswer === "refused")) {
    const when = facts.reading ? "does not accept it" : "did not accept it when it was last used";
    return {
      severity: "error",
      message: `There is a Project Key for ${name} (${place}), but the registry ${when}. It may be revoked, or belong to another project or registry.`,
      steps: [setKey, connect],
    };
  }
  return {
    severity: facts.state === "sessionOnly" ? "warning" : "information",
    message: `There is a Project Key for ${name} (${place}). ${acceptanceWords(facts)}`,
    steps: facts.state === "builtIn" ? [] : [setKey],
  };
}

function placeWords(state: KeyFacts["state"]): string {
  switch (state) {
    case "sessionOnly":
      return "kept until this window closes, since the editor's secret storage cannot be used";
    case "builtIn":
      return "made by the registry itself";
    default:
      return "kept in the editor's secret storage";
  }
}

function acceptanceWords({ reading, lastAnswer }: KeyFacts): string {
  if (reading?.kind === "accepted") {
    const count = reading.skills === 1 ? "1 skill" : `${reading.skills} skills`;
    return `The registry accepts it and lists ${count} for it; a policy may still block a call.`;
  }
  if (lastAnswer === "accepted") return "The registry accepted it when it was last used.";
  return "Whether the registry accepts it shows with the next call.";
}
