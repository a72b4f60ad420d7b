import { version } from "../../package.json";
import { acceptedEncodings } from "./transport/contentDecoder";

/** The header fields every request carries. */
export function requestHeaders(): Readonly<Record<string, string>> {
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": acceptedEncodings(),
    "user-agent": `skill-registry-vscode/${version}`,
  };
}
