// The one module of undici that is used. Its package root is never imported: that would replace the
// global dispatcher, and with it the built-in `fetch` of every extension in the host.

declare module "undici/lib/dispatcher/pool.js" {
  import type PoolType from "undici/types/pool";

  const Pool: typeof PoolType;
  type Pool = PoolType;
  export = Pool;
}
