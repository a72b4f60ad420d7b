/** The gate that refuses an agent's invocation. Scripts and models depend on these codes. */
export type AgentRefusalCode =
  | "agentsOff"
  | "badArguments"
  | "notAllowed"
  | "agreementExpired"
  | "contractMissing"
  | "contractChanged"
  | "wrongContractHash"
  | "registryUnreachable"
  | "notCallable"
  | "reviewObjects"
  | "workspaceNarrows"
  | "levelExceeded"
  | "payloadInvalid"
  | "payloadUnchecked"
  | "payloadHasSecret"
  | "numberLosesDigits"
  | "outcomeUnknownBefore"
  | "callLimit"
  | "spendingLimit"
  | "priceUnknown"
  | "rateLimited"
  | "declined"
  | "noPerson"
  | "missingProjectKey"
  | "recordFailed"
  | "canceled";

/** A closed gate, with texts for a model and a person. They are English, since programs read them. */
export interface AgentRefusal {
  readonly code: AgentRefusalCode;
  readonly message: string;
  /** The next step for the agent or its user; left out for none. */
  readonly next?: string;
  /** How the contract differs from the agreed one, one change per line. */
  readonly changes?: readonly string[];
  readonly retryAfterSeconds?: number;
}
