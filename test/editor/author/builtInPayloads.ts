import type { KeyboardPayload } from "./keyboardPayloads";
import type { Typist } from "./typist";

/** The shortest sensible input for each skill of the built-in registry, by slug. */
export const builtInPayloads: Readonly<Record<string, KeyboardPayload>> = {
  "burst-limited": { write: filling("{ text }", "order 1044"), value: { text: "order 1044" } },
  "csv-profile": { write: filling("{ csv }", "a,b\\n1,2"), value: { csv: "a,b\n1,2" } },
  "draft-writer": {
    write: async (typist) => {
      await filling("{ topic, audience }", "Opening hours", "")(typist);
      await typist.ask('"staff"');
    },
    value: { topic: "Opening hours", audience: "staff" },
  },
  "flaky-fetch": {
    write: filling("{ url }", "https://news.example"),
    value: { url: "https://news.example" },
  },
  "json-diff": {
    write: filling("{ before, after }", "[1, 2]", "[1, 3]"),
    value: { before: [1, 2], after: [1, 3] },
  },
  "market-data": {
    write: filling("{ symbols, from }", "ABC", "2026-11-18"),
    value: { symbols: ["ABC"], from: "2026-11-18" },
  },
  "redact-pii": { write: filling("{ text }", "Call Ana"), value: { text: "Call Ana" } },
  "slow-report": {
    write: filling("{ title, figures }", "Times", "120"),
    value: { title: "Times", figures: [120] },
  },
  "sql-format": { write: filling("{ sql }", "select 1"), value: { sql: "select 1" } },
  "status-notice": {
    write: async (typist) => {
      await filling("{ service, message, state }", "Checkout", "All well", "")(typist);
      await typist.ask('"resolved"');
    },
    value: { service: "Checkout", message: "All well", state: "resolved" },
  },
  "text-stats": { write: filling("{ text }", "to be or not"), value: { text: "to be or not" } },
  "vault-rotate": {
    write: async (typist) => {
      await filling("{ vault, secrets, reason }", "payments", "DB_PASSWORD", "")(typist);
      await typist.ask('"leak"');
      await typist.member();
      await typist.type('"ti');
      await typist.take("ticket");
      await typist.type("SEC-412");
    },
    value: { vault: "payments", secrets: ["DB_PASSWORD"], reason: "leak", ticket: "SEC-412" },
  },
};

/** Inserts an object and types one text at each tab stop; an empty text keeps what is there. */
function filling(label: string, ...texts: string[]): (typist: Typist) => Promise<void> {
  return async (typist) => {
    await typist.ask(label);
    for (const [index, text] of texts.entries()) {
      if (index > 0) await typist.next();
      await typist.type(text);
    }
  };
}
