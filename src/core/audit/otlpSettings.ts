import { type LocalizableText, l10nText } from "../text/language";
import { parseUrl } from "../text/parseUrl";

type Variables = Readonly<Record<string, string | undefined>>;

/** What the audit export sends: spans, or log records. */
export type OtlpSignal = "traces" | "logs";

/** Both signals. */
export const otlpSignals: readonly OtlpSignal[] = ["traces", "logs"];

/** The destination of one signal. */
export interface OtlpTarget {
  readonly url: string;
  /** Headers for the collector. They may contain a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Whether bodies are compressed with gzip. */
  readonly isCompressed: boolean;
}

/** The destinations of the audit export. */
export interface OtlpSettings {
  /** The signals that are exported, at least one. */
  readonly targets: Readonly<Partial<Record<OtlpSignal, OtlpTarget>>>;
  /** The attributes of the resource, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
}

/** The settings, `off`, or why they are unusable. */
type OtlpReading =
  | { readonly kind: "on"; readonly settings: OtlpSettings }
  | { readonly kind: "off" }
  | { readonly kind: "unusable"; readonly problem: LocalizableText };

const usualEndpoint = "http://localhost:4318";
const usualSeconds = 10;
/** The maximum timeout, in seconds. A program waits this long before it exits. */
const maxSeconds = 60;
/** The maximum number of entries in a resource or in headers. */
const maxPairs = 64;
/**
 * The maximum length of a value: longer than any token in a header, shorter than the 16 KB of headers that servers
 * accept.
 */
const maxValueLength = 4_096;
/** The headers that the request sets itself, or that would change its destination. */
const ownHeaders = ["content-type", "content-length", "host", "connection", "transfer-encoding"];

/**
 * Reads the destination of the export: `endpoint`, or else the OpenTelemetry environment variables, or else a collector
 * on this machine. Headers from these variables are sent only to an address from these variables. `off` if the SDK or
 * both exporters are off.
 */
export function readOtlpSettings(env: Variables, endpoint: string): OtlpReading {
  const given = (name: string) => (env[name] ?? "").trim();
  if (given("OTEL_SDK_DISABLED").toLowerCase() === "true") return { kind: "off" };
  const targets: Partial<Record<OtlpSignal, OtlpTarget>> = {};
  for (const signal of otlpSignals) {
    const target = readTarget(signal, given, endpoint.trim());
    if (target === "none") continue;
    if ("problem" in target) return { kind: "unusable", problem: target.problem };
    targets[signal] = target;
  }
  if (Object.keys(targets).length === 0) return { kind: "off" };
  return {
    kind: "on",
    settings: {
      targets,
      resource: {
        ...readPairs(given("OTEL_RESOURCE_ATTRIBUTES")),
        ...nameOf(given("OTEL_SERVICE_NAME"), given("OTEL_RESOURCE_ATTRIBUTES")),
      },
    },
  };
}

type Given = (name: string) => string;

function readTarget(
  signal: OtlpSignal,
  given: Given,
  own: string,
): OtlpTarget | "none" | { readonly problem: LocalizableText } {
  const name = signal === "traces" ? "TRACES" : "LOGS";
  /** Returns the variable of the signal, or else the one for both, and its name. */
  const either = (suffix: string): readonly [variable: string, value: string] => {
    const [one, both] = [`${prefix}${name}_${suffix}`, `${prefix}${suffix}`];
    return given(one) === "" ? [both, given(both)] : [one, given(one)];
  };
  const exporterName = `OTEL_${name}_EXPORTER`;
  const exporters = given(exporterName)
    .toLowerCase()
    .split(/\s*,\s*/);
  if (exporters.includes("none")) return "none";
  const [protocolName, protocol] = either("PROTOCOL");
  const [compressionName, compression] = either("COMPRESSION");
  if (own === "") {
    const unknown =
      unsupported(exporterName, exporters, ["otlp", ""], "otlp") ??
      unsupported(protocolName, [protocol], ["http/json", ""], "http/json") ??
      unsupported(compressionName, [compression], ["gzip", "none", ""], "gzip");
    if (unknown !== undefined) return { problem: unknown };
  }
  const namedUrl = own === "" ? given(`${prefix}${name}_ENDPOINT`) : "";
  const base = own || given(`${prefix}ENDPOINT`) || usualEndpoint;
  const url = readAddress(namedUrl || `${base.replace(/\/+$/, "")}/v1/${signal}`);
  if (url === undefined) {
    const problem = l10nText(
      "The address of the collector cannot be used. Enter one such as https://collector.example:4318.",
    );
    return { problem };
  }
  return {
    url: url.href,
    headers: mayHaveHeaders(url, given, own) ? readHeaders(either("HEADERS")[1]) : {},
    timeoutSeconds: readSeconds(either("TIMEOUT")[1]),
    isCompressed: own === "" && compression === "gzip",
  };
}

const prefix = "OTEL_EXPORTER_OTLP_";

function unsupported(
  variable: string,
  values: readonly string[],
  supported: readonly string[],
  example: string,
): LocalizableText | undefined {
  if (values.some((value) => supported.includes(value))) return undefined;
  return l10nText("{variable} has a value that is not supported. Set it to {example}.", {
    variable,
    example,
  });
}

/** Returns whether the headers of the variables may be sent to an address: only to an origin that these name, if any. */
function mayHaveHeaders({ origin }: URL, given: Given, own: string): boolean {
  const named = ["TRACES_ENDPOINT", "LOGS_ENDPOINT", "ENDPOINT"];
  const origins = named.flatMap((name) => readAddress(given(`${prefix}${name}`))?.origin ?? []);
  return own === "" || origins.length === 0 || origins.includes(origin);
}

/** Parses an address. Undefined if it is invalid, or contains a user name or password, which would be shown. */
function readAddress(text: string): URL | undefined {
  const url = text.length > 2_000 || !/^https?:\/\//i.test(text) ? undefined : parseUrl(text);
  return url?.username === "" && url.password === "" && url.hash === "" ? url : undefined;
}

function nameOf(name: string, attributes: string): { readonly "service.name"?: string } {
  if (name !== "") return { "service.name": name };
  return "service.name" in readPairs(attributes) ? {} : { "service.name": "skill-registry" };
}

function readSeconds(milliseconds: string): number {
  const seconds = Number(milliseconds) / 1000;
  return milliseconds !== "" && seconds > 0 ? Math.min(seconds, maxSeconds) : usualSeconds;
}

function readHeaders(text: string): Readonly<Record<string, string>> {
  const usable = Object.entries(readPairs(text)).filter(
    ([name, value]) =>
      /^[A-Za-z0-9_.-]+$/.test(name) &&
      /^[\t\x20-\x7e]*$/.test(value) &&
      !ownHeaders.includes(name.toLowerCase()),
  );
  return Object.fromEntries(usable.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Parses `name=value,name=value` with percent-encoded values. Leaves out invalid pairs. */
function readPairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",", maxPairs).flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim();
    const value = decoded(pair.slice(at + 1).trim());
    return name === "" || value === undefined ? [] : [[name, value.slice(0, maxValueLength)]];
  });
  return Object.fromEntries(pairs) as Readonly<Record<string, string>>;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
