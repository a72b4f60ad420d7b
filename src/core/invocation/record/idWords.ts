import type { Language } from "../../text/language";
import type { InvocationRecord } from "./invocationRecord";

/** Says to a reader which ID the registry gave a call. Not for the output channel, whose lines stay English. */
export function idWords({ invocationId: id }: InvocationRecord, { translate }: Language): string {
  return id === undefined
    ? translate("Invocation ID: none given")
    : translate("Invocation ID: {id}", { id });
}
