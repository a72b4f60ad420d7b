import { type LocalizableText, l10nText } from "../text/language";
import { parseUrl } from "../text/parseUrl";

type Variables = Readonly<Record<string, string | undefined>>;

/** The address and headers of the audit export. */
export interface OtlpSettings {
  readonly tracesUrl: string;
  readonly logsUrl: string;
  /** Headers for the collector. They may contain a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
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
 * on this machine. Headers from these variables are sent only to an address from these variables.
 */
export function readOtlpSettings(env: Variables, endpoint: string): OtlpReading {
  const given = (name: string) => (env[name] ?? "").trim();
  if (given("OTEL_SDK_DISABLED").toLowerCase() === "true") return { kind: "off" };
  const named = [
    given("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
    given("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"),
    given("OTEL_EXPORTER_OTLP_ENDPOINT"),
  ];
  const [namedTraces = "", namedLogs = "", namedBase = ""] = named;
  const own = endpoint.trim();
  const protocol = given("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (own === "" && protocol !== "" && protocol !== "http/json") {
    const problem = l10nText(
      "OTEL_EXPORTER_OTLP_PROTOCOL names a protocol that is not supported. Set it to http/json.",
    );
    return { kind: "unusable", problem };
  }
  const base = own || namedBase || usualEndpoint;
  const traces = (own === "" && namedTraces) || signalAddress(base, "traces");
  const logs = (own === "" && namedLogs) || signalAddress(base, "logs");
  const [tracesUrl, logsUrl] = [readAddress(traces), readAddress(logs)];
  if (tracesUrl === undefined || logsUrl === undefined) {
    const problem = l10nText(
      "The address of the collector cannot be used. Enter one such as https://collector.example:4318.",
    );
    return { kind: "unusable", problem };
  }
  const origins = named.flatMap((item) => readAddress(item)?.origin ?? []);
  const isTheirs = own === "" || origins.length === 0 || origins.includes(tracesUrl.origin);
  return {
    kind: "on",
    settings: {
      tracesUrl: tracesUrl.href,
      logsUrl: logsUrl.href,
      headers: isTheirs ? readHeaders(given("OTEL_EXPORTER_OTLP_HEADERS")) : {},
      timeoutSeconds: readSeconds(given("OTEL_EXPORTER_OTLP_TIMEOUT")),
      resource: {
        ...readPairs(given("OTEL_RESOURCE_ATTRIBUTES")),
        ...nameOf(given("OTEL_SERVICE_NAME"), given("OTEL_RESOURCE_ATTRIBUTES")),
      },
    },
  };
}

function signalAddress(base: string, signal: "traces" | "logs"): string {
  return `${base.replace(/\/+$/, "")}/v1/${signal}`;
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
