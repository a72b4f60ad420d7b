import type * as vscode from "vscode";
import type { JsonValue } from "../core/json/jsonValue";
import type { PayloadCheck } from "../core/payload/payloadCheck";

/** A JSON text that a schema describes, in a document that is no payload itself; it starts at the offset `from`. */
export interface EmbeddedPayload {
  readonly from: number;
  readonly text: string;
  /** Undefined where there is none to go by. */
  readonly schema: JsonValue | undefined;
}

/** One that was checked. */
export interface CheckedPart extends EmbeddedPayload {
  readonly check: PayloadCheck;
}

/** Finds such texts: the payloads in suites, and manifests. */
export interface EmbeddedPayloads {
  /** Finds the text around an offset, checked or not. Undefined where there is none, or no schema to go by. */
  readonly payloadAt: (
    document: vscode.TextDocument,
    offset: number,
  ) => Promise<EmbeddedPayload | undefined>;
  /** Returns the check of the text around an offset. Undefined where there is none of the current text. */
  readonly checkedAt: (document: vscode.TextDocument, offset: number) => CheckedPart | undefined;
}

/** Joins what finds them: the first that does counts. */
export function eitherOf(first: EmbeddedPayloads, second: EmbeddedPayloads): EmbeddedPayloads {
  return {
    payloadAt: async (...at) => (await first.payloadAt(...at)) ?? second.payloadAt(...at),
    checkedAt: (...at) => first.checkedAt(...at) ?? second.checkedAt(...at),
  };
}
