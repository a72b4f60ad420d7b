/** Thrown while a schema is read, and caught by `readSchema`: why it cannot be applied. */
export class SchemaRefusal extends Error {
  /** One plain sentence for the person who writes a payload for the schema. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "SchemaRefusal";
    this.reason = reason;
  }
}
