/** An event like the editor's, for programs without an editor. */
export class ChangeEvent<Value> {
  private readonly listeners = new Set<(value: Value) => unknown>();

  /** Calls `listener` with each value until the returned subscription is disposed of. */
  readonly event = (
    listener: (value: Value) => unknown,
    self?: unknown,
    subscriptions?: { dispose(): unknown }[],
  ): { readonly dispose: () => void } => {
    const call = (value: Value) => listener.call(self, value);
    this.listeners.add(call);
    const subscription = { dispose: () => void this.listeners.delete(call) };
    subscriptions?.push(subscription);
    return subscription;
  };

  fire(value: Value): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
