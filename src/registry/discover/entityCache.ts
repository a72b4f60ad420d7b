/** A kept answer and the tag it can be asked about again with. */
export interface Entity {
  readonly etag: string;
  readonly bytes: Buffer;
}

/** Keeps the last answers of public routes by path, within a number and a size; the oldest go first. */
export class EntityCache {
  readonly #entities = new Map<string, Entity>();
  readonly #maxEntries: number;
  readonly #maxLength: number;
  #length = 0;

  /** `maxLength` counts bytes of all answers together. */
  constructor(maxEntries = 100, maxLength = 8_000_000) {
    this.#maxEntries = maxEntries;
    this.#maxLength = maxLength;
  }

  get(path: string): Entity | undefined {
    return this.#entities.get(path);
  }

  set(path: string, entity: Entity): void {
    this.delete(path);
    if (entity.bytes.length > this.#maxLength) return;
    this.#entities.set(path, entity);
    this.#length += entity.bytes.length;
    for (const oldest of this.#entities.keys()) {
      if (this.#entities.size <= this.#maxEntries && this.#length <= this.#maxLength) break;
      this.delete(oldest);
    }
  }

  delete(path: string): void {
    this.#length -= this.#entities.get(path)?.bytes.length ?? 0;
    this.#entities.delete(path);
  }
}
