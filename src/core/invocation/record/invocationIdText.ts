import type { Language } from "../../text/language";
import type { InvocationRecord } from "./invocationRecord";

/** Says to a reader which ID the registry gave a call. Not for the output channel, whose lines stay English. */
export function invocationIdText({ invocationId: id }: InvocationRecord, { t }: Language): string {
  return id === undefined ? t("Invocation ID: none given") : t("Invocation ID: {id}", { id });
}
