import type { Language } from "../../text/language";

/** Says how many calls there are: `1 call`, `3 calls`. */
export function invocationCountText(count: number, { t }: Language): string {
  return count === 1 ? t("1 invocation") : t("{count} invocations", { count });
}
