import { type InvocationRecord, kindOf } from "./invocationRecord";

/** The columns. New ones are added at the end, since scripts read columns by position. */
const columns = [
  "time",
  "registry",
  "skill",
  "version",
  "status",
  "durationMs",
  "invocationId",
  "code",
  "message",
  "amountCents",
  "currency",
  "contractHash",
  "requestSha256",
  "responseSha256",
  "kind",
  "caller",
  "callerName",
  "callerVersion",
  "callerSession",
  "tool",
  "agentReason",
  "agreement",
  "ran",
  "reason",
  "expectedCents",
  "expectedCurrency",
  "profile",
  "environment",
] as const;

/** Writes records as JSON Lines, one record per line, without payloads and outputs. */
export function recordsAsJsonLines(records: readonly InvocationRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Without this mark, spreadsheets read UTF-8 in the system's encoding. */
const byteOrderMark = "\uFEFF";

/**
 * Writes records as CSV (RFC 4180) for another program, without payloads and outputs. Puts an apostrophe before
 * everything that a spreadsheet would read as a formula (OWASP, CSV injection). This includes formulas inside a cell,
 * since a spreadsheet may be set to split cells at other characters than commas, even in quotes.
 */
export function recordsAsCsv(records: readonly InvocationRecord[]): string {
  return `${columns.join(",")}\r\n${rowsAsCsv(records)}`;
}

/** The text before the rows of `rowsAsCsv` in a file for a spreadsheet: a byte order mark, and the head. */
export const csvHead = `${byteOrderMark}${columns.join(",")}\r\n`;

/** Writes records as rows for `recordsAsCsv`, without its head. */
export function rowsAsCsv(records: readonly InvocationRecord[]): string {
  return records.map((record) => `${csvRow(record)}\r\n`).join("");
}

/** Writes a table as CSV, its head first. Like `recordsAsCsv`, it is safe from formulas. */
export function tableAsCsv(rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/**
 * Writes a table as tab-separated text for pasting into a spreadsheet. Like `recordsAsCsv`, it is safe from formulas.
 */
export function tableAsTabs(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join("\t")}\n`).join("");
}

function csvRow(record: InvocationRecord): string {
  const cells: Readonly<Record<(typeof columns)[number], string | number | undefined>> = {
    time: new Date(record.startedAt).toISOString(),
    registry: record.registry,
    skill: record.skillSlug,
    version: record.version,
    status: record.status,
    durationMs: record.durationMs,
    invocationId: record.invocationId,
    code: record.code,
    message: record.message,
    amountCents: record.amountCents,
    currency: record.currency,
    contractHash: record.contractHash,
    requestSha256: record.requestSha256,
    responseSha256: record.responseSha256,
    kind: kindOf(record),
    caller: record.caller.kind,
    callerName: record.caller.name,
    callerVersion: record.caller.version,
    callerSession: record.caller.session,
    tool: record.tool,
    agentReason: record.agentReason,
    agreement: record.agreement,
    ran: record.ran,
    reason: record.reason,
    expectedCents: record.expectedCents,
    expectedCurrency: record.expectedCurrency,
    profile: record.profile,
    environment: record.environment,
  };
  return columns.map((name) => csvCell(cells[name])).join(",");
}

function csvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const start = /^[\t\r\n=+\-@＝＋－＠]/.test(value) ? "'" : "";
  const safe = start + value.replace(beforeFormula, "$&'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Characters before a formula at which a spreadsheet may split a cell. */
const beforeFormula = /[\t\r\n,;|:"] {0,9}(?=[=+\-@＝＋－＠])| (?=[=+\-@＝＋－＠]\S)/g;
