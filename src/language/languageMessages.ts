import type { Shapes } from "../core/clients/shape";
import type { Form, FormDraft, FormEdit, ShownFields } from "../core/form/formField";
import type { FixesRequest, FixesResult } from "../core/payload/fixes/payloadFix";
import type { PayloadCheck } from "../core/payload/payloadCheck";
import type { Explanation, Proposal } from "../core/schema/complete/proposal";
import type { SchemaMistake } from "../core/schema/explain/schemaMistakes";
import type { SamplePayload, SamplePayloadOptions } from "../core/schema/sample/samplePayload";
import type { OutlineNode } from "../core/schema/schemaOutline";
import type { LossyNumbers } from "../core/skill/skill";
import type { LanguageTexts } from "../core/text/language";
import type { CheckOptions } from "./checkPayload";

/** A text to check against a schema. */
export interface CheckRequest extends Omit<CheckOptions, "lossyNumbers"> {
  readonly schema: unknown;
  readonly text: string;
  readonly lossyNumbers?: LossyNumbers | undefined;
}

/** A position in a text, as a UTF-16 offset, and the schema of the text. */
export interface PositionRequest {
  readonly schema: unknown;
  readonly text: string;
  readonly offset: number;
}

/** A text to check. */
export interface CheckTask extends CheckOptions {
  readonly kind: "check";
  readonly text: string;
}

/** A payload whose form is requested, after an edit if there is one. */
export interface FormTask extends FormDraft {
  readonly kind: "form";
  readonly edit?: FormEdit;
  readonly shown: ShownFields;
}

/** A payload and its form. */
export interface MadeForm {
  readonly draft: FormDraft;
  readonly form: Form;
}

/** The tasks of the thread. */
export type LanguageTask =
  | CheckTask
  | { readonly kind: "checks"; readonly all: readonly CheckTask[] }
  | { readonly kind: "manifest" | "declared"; readonly text: string }
  | ({ readonly kind: "fixes" } & FixesRequest)
  | { readonly kind: "complete" | "explain"; readonly text: string; readonly offset: number }
  | { readonly kind: "sample"; readonly options: SamplePayloadOptions }
  | FormTask
  | { readonly kind: "shapes"; readonly lossyNumbers: LossyNumbers | undefined }
  | { readonly kind: "outline" | "mistakes" };

/** The result of a task, by its kind. */
export interface LanguageResults {
  readonly check: PayloadCheck;
  readonly checks: readonly PayloadCheck[];
  readonly manifest: PayloadCheck;
  readonly fixes: FixesResult;
  readonly complete: readonly Proposal[];
  /** Undefined if nothing is known about the position. */
  readonly explain: Explanation | undefined;
  readonly sample: SamplePayload;
  readonly form: MadeForm;
  readonly shapes: Shapes;
  readonly declared: ReadonlyMap<string, string>;
  readonly outline: OutlineNode;
  readonly mistakes: readonly SchemaMistake[];
}

/** A schema, identified by its key. Its JSON text is sent only once to each thread. */
export interface SentSchema {
  readonly key: string;
  /** Absent if this thread already has the schema of this key. */
  readonly text?: string;
}

/** A part of a long text, sent before its task. */
export interface TextPiece {
  readonly kind: "piece";
  readonly piece: string;
}

/** A request for one task. Its text is empty if the text was sent before in pieces. */
export interface TaskMessage {
  readonly kind: "task";
  readonly id: number;
  readonly task: LanguageTask;
  readonly schema: SentSchema;
  /** The keys of schemas to drop, so that the caches on both sides stay equal and bounded. */
  readonly forget: readonly string[];
}

/** The progress of a task: the thread started it, has read the schema, or is done. */
export type ThreadMessage =
  | { readonly kind: "started"; readonly id: number }
  | { readonly kind: "compiled"; readonly id: number; readonly nativePatterns: readonly string[] }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown };

/**
 * The data with which the thread starts. While the thread matches a pattern with the native engine, `nativePattern`
 * holds the pattern's index; otherwise -1. The host can read it while the thread is stuck.
 */
export interface ThreadStart {
  readonly language: LanguageTexts;
  readonly nativePattern: Int32Array;
}
