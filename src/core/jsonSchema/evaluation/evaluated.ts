/** Which properties and items of one value some schema has looked at and accepted. */
export class Evaluated {
  allProperties = false;
  allItems = false;
  /** All items before this index. */
  itemsBefore = 0;
  readonly #properties = new Set<string>();
  readonly #items = new Set<number>();

  addProperty(name: string): void {
    this.#properties.add(name);
  }

  addItem(index: number): void {
    this.#items.add(index);
  }

  hasProperty(name: string): boolean {
    return this.allProperties || this.#properties.has(name);
  }

  hasItem(index: number): boolean {
    return this.allItems || index < this.itemsBefore || this.#items.has(index);
  }

  /** Adds what another schema has evaluated of the same value. */
  add(other: Evaluated): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
    for (const name of other.#properties) this.#properties.add(name);
    for (const index of other.#items) this.#items.add(index);
  }
}
