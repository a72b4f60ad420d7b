import type { LossyNumbers } from "../core/skill/skill";
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
