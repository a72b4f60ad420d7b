interface Due {
  at: number;
  readonly everyMs: number | undefined;
  readonly work: () => void;
  real: NodeJS.Timeout | undefined;
}

/**
 * The clock of one editor. It runs like the real one, so that HTTP and threads work normally, and a test can advance
 * it: what is due by then runs at once, in order.
 */
export class Clock {
  private aheadMs = 0;
  private readonly due = new Map<object, Due>();
  private isStopped = false;

  /** `calendarMs` is how far its date is ahead of the real one. Timers do not depend on it. */
  constructor(private readonly calendarMs: number) {}

  /** Milliseconds since 1970, by this clock. */
  now(): number {
    return Math.floor(Date.now() + this.calendarMs + this.aheadMs);
  }

  /** Advances the clock. Resolves once everything due has run, and what that started at once. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.monotonic() + milliseconds;
    for (;;) {
      const [timer, next] = [...this.due].sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
      if (timer === undefined || next === undefined || next.at > end) break;
      this.aheadMs += Math.max(0, next.at - this.monotonic());
      this.run(timer, next);
      await new Promise((done) => setImmediate(done));
    }
    this.aheadMs += Math.max(0, end - this.monotonic());
  }

  /** Advances the clock like a sleeping machine: timers are late, as if no time had passed. */
  sleep(milliseconds: number): void {
    this.aheadMs += milliseconds;
    for (const due of this.due.values()) due.at += milliseconds;
  }

  /** Cancels all timers, and starts no more. */
  stop(): void {
    this.isStopped = true;
    for (const { real } of this.due.values()) clearTimeout(real);
    this.due.clear();
  }

  /** Returns the globals that replace the real ones for the extension. */
  globals(): Readonly<Record<string, unknown>> {
    const clock = this;
    class ClockDate extends Date {
      constructor(...given: [] | [number | string | Date]) {
        if (given.length === 0) super(clock.now());
        else super(...(given as [number]));
      }
      static override now(): number {
        return clock.now();
      }
    }
    const clear = (timer: unknown) => {
      if (typeof timer !== "object" || timer === null) return;
      clearTimeout(this.due.get(timer)?.real);
      this.due.delete(timer);
    };
    return {
      Date: ClockDate,
      performance: Object.create(performance, {
        now: { value: () => clock.monotonic() },
        timeOrigin: { value: performance.timeOrigin },
      }),
      setTimeout: (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
        this.start(() => work(...given), ms, undefined),
      setInterval: (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
        this.start(() => work(...given), ms, Math.max(1, ms)),
      clearTimeout: clear,
      clearInterval: clear,
    };
  }

  private monotonic(): number {
    return performance.now() + this.aheadMs;
  }

  private start(work: () => void, ms: number, everyMs: number | undefined): object {
    const timer = {
      ref: () => timer,
      unref: () => {
        this.due.get(timer)?.real?.unref();
        return timer;
      },
      hasRef: () => this.due.get(timer)?.real?.hasRef() ?? false,
      refresh: () => {
        clearTimeout(this.due.get(timer)?.real);
        this.arm(timer, { at: this.monotonic() + ms, everyMs, work, real: undefined });
        return timer;
      },
      [Symbol.toPrimitive]: () => 0,
    };
    this.arm(timer, { at: this.monotonic() + ms, everyMs, work, real: undefined });
    return timer;
  }

  private arm(timer: object, due: Due): void {
    if (this.isStopped) return;
    due.real = setTimeout(() => this.run(timer, due), Math.max(0, due.at - this.monotonic()));
    this.due.set(timer, due);
  }

  private run(timer: object, due: Due): void {
    clearTimeout(due.real);
    this.due.delete(timer);
    if (due.everyMs !== undefined) this.arm(timer, { ...due, at: due.at + due.everyMs });
    due.work();
  }
}
