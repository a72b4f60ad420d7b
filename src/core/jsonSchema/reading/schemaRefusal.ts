import type { LocalizableText } from "../../text/localizableText";

/** Why a schema cannot be applied: what it needs is elsewhere, or it is not what it says to be. */
export type RefusalCause = "outside" | "dialect" | "malformed" | "ambiguous" | "asynchronous";

/** Thrown while a schema is read, and caught by whoever reads it as a whole. */
export class SchemaRefusal extends Error {
  readonly why: RefusalCause;
  /** One plain sentence for the person who writes a payload for the schema. */
  readonly reason: LocalizableText;
  /** Nothing but one reference is at fault: the rest of the schema can be read without it. */
  readonly isOfReference: boolean;

  constructor(why: RefusalCause, reason: LocalizableText, isOfReference = false) {
    super(reason.text);
    this.name = "SchemaRefusal";
    this.why = why;
    this.reason = reason;
    this.isOfReference = isOfReference;
  }
}
