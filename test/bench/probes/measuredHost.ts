/** What the probe in an extension host can be told to do. */
export type HostOrder =
  | { readonly kind: "command"; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "set"; readonly name: string; readonly value: unknown }
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "print"; readonly text: string }
  /** Shows a progress notification of this title until it is canceled, and does nothing else. */
  | { readonly kind: "wait"; readonly title: string }
  | { readonly kind: "end" };

/** An extension host in another process that follows orders (cancelProbe). */
export class MeasuredHost {
  /** `address` is where its probe listens. */
  constructor(private readonly address: string) {}

  /** Runs a command of the extension. Resolves to when it ended there, in milliseconds since 1970. */
  command(name: string, ...args: readonly unknown[]): Promise<number> {
    return this.tell({ kind: "command", name: `skillRegistry.${name}`, args });
  }

  /** Closes every notification. */
  clearNotifications(): Promise<number> {
    return this.tell({ kind: "command", name: "notifications.clearAll", args: [] });
  }

  /** Sets one of the extension's settings for the user. */
  set(name: string, value: unknown): Promise<number> {
    return this.tell({ kind: "set", name, value });
  }

  /** Writes `{"text": text}` as the active payload. */
  write(text: string): Promise<number> {
    return this.tell({ kind: "write", text });
  }

  /** Prints a line, which also shows that the window is alive. */
  print(text: string): Promise<number> {
    return this.tell({ kind: "print", text });
  }

  /**
   * Shows a progress notification with no work behind it. Resolves to when it was canceled, in milliseconds since 1970.
   */
  wait(title: string): Promise<number> {
    return this.tell({ kind: "wait", title });
  }

  /** Lets the host end. */
  end(): Promise<number> {
    return this.tell({ kind: "end" });
  }

  private async tell(order: HostOrder): Promise<number> {
    const response = await fetch(this.address, { method: "POST", body: JSON.stringify(order) });
    const answer = (await response.json()) as { readonly endedAt: number; readonly error?: string };
    if (answer.error !== undefined) throw new Error(`${order.kind}: ${answer.error}`);
    return answer.endedAt;
  }
}
