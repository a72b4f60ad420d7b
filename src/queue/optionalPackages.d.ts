// What is used of packages that may not be installed, so that types hold with and without them.

declare module "ioredis" {
  export class Redis {
    constructor(url: string, options: object);
    readonly status: string;
    connect(): Promise<void>;
    disconnect(): void;
    once(event: "error", heed: (error: Error) => void): this;
    on(event: "error", heed: (error: Error) => void): this;
    call(command: string, ...args: readonly (string | number)[]): Promise<unknown>;
    eval(script: string, keys: number, ...args: readonly (string | number)[]): Promise<unknown>;
  }
}

declare module "bullmq" {
  import type { Redis } from "ioredis";

  interface Shared {
    readonly connection: Redis;
    readonly prefix: string;
    readonly skipVersionCheck?: boolean;
  }

  interface Job {
    readonly id?: string;
    readonly data: unknown;
  }

  export class Queue {
    constructor(name: string, options: Shared);
    on(event: "error", heed: (error: Error) => void): this;
    add(name: string, data: object, options: object): Promise<Job>;
    getJobState(id: string): Promise<string>;
    getWorkersCount(): Promise<number>;
    remove(id: string): Promise<number>;
    drain(): Promise<void>;
    close(): Promise<void>;
  }

  export class Worker {
    constructor(
      name: string,
      process: ((job: Job) => Promise<unknown>) | null,
      options: Shared & {
        readonly autorun: boolean;
        readonly concurrency?: number;
        readonly lockDuration: number;
        readonly stalledInterval: number;
        readonly maxStalledCount: number;
        readonly removeOnComplete: { readonly count: number };
        readonly removeOnFail: { readonly count: number };
      },
    );
    on(event: "error", heed: (error: Error) => void): this;
    run(): Promise<void>;
    startStalledCheckTimer(): Promise<void>;
    close(force?: boolean): Promise<void>;
  }
}
