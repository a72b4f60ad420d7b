import type * as vscode from "vscode";
import type { JsonValue } from "../core/json/jsonValue";
import type { PayloadCheck } from "../core/payload/payloadCheck";

/** A JSON text with a schema, inside a document that is no payload itself. It starts at the offset `from`. */
export interface EmbeddedPayload {
  readonly from: number;
  readonly text: string;
  /** Undefined if there is no schema. */
  readonly schema: JsonValue | undefined;
}

/** A checked text inside another document. */
export interface CheckedPart extends EmbeddedPayload {
  readonly check: PayloadCheck;
}

/** Finds JSON texts inside other documents: the payloads in suites, and manifests. */
export interface EmbeddedPayloads {
  /** Finds the text around an offset, checked or not. Undefined if there is none, or it has no schema. */
  readonly payloadAt: (
    document: vscode.TextDocument,
    offset: number,
  ) => Promise<EmbeddedPayload | undefined>;
  /** Returns the check of the text around an offset. Undefined if the current text was not checked. */
  readonly checkedAt: (document: vscode.TextDocument, offset: number) => CheckedPart | undefined;
}

/** Joins two finders. The first result counts. */
export function eitherOf(first: EmbeddedPayloads, second: EmbeddedPayloads): EmbeddedPayloads {
  return {
    payloadAt: async (...at) => (await first.payloadAt(...at)) ?? second.payloadAt(...at),
    checkedAt: (...at) => first.checkedAt(...at) ?? second.checkedAt(...at),
  };
}
