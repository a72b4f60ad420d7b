/** The timeout of a wait, in milliseconds of the real clock: it is only for what never comes. */
const patienceMs = 50_000;

/** Returns whether a text contains a piece or matches a pattern. */
export function fits(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}

/** Tells whoever waits for something on the screen that the screen has changed. */
export class Board {
  private readonly waiting = new Set<() => void>();

  /** `draw` prints the whole screen, for a wait that fails. */
  constructor(private readonly draw: () => string) {}

  /** Called after each change of anything on the screen. */
  changed(): void {
    for (const look of [...this.waiting]) look();
  }

  /** Waits until `look` returns something, now or after a change. Rejects with the whole screen as text. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.waiting.delete(lookNow);
        clearTimeout(deadline);
      };
      const lookNow = () => {
        try {
          const found = look();
          if (found === undefined || found === false) return;
          end();
          resolve(found);
        } catch (error) {
          end();
          reject(error);
        }
      };
      const deadline = setTimeout(() => {
        end();
        reject(new Error(`This never came: ${what}. The screen:\n\n${this.draw()}`));
      }, patienceMs);
      this.waiting.add(lookNow);
      lookNow();
    });
  }
}

/** Creates an API object with only some members. Reading a missing one throws with its name. */
export function standIn<T extends object>(name: string, part: Partial<T> & object): T {
  return new Proxy(part, {
    get: (target, key, self) => {
      if (key in target || typeof key === "symbol" || key === "then" || key === "toJSON") {
        return Reflect.get(target, key, self);
      }
      throw new Error(`The editor in memory has no ${name}.${key}.`);
    },
  }) as T;
}
