import type { JsonValue } from "../../../src/core/json/jsonValue";
import type { apiSchemas } from "../../fixtures/apiSchemas";
import type { Typist } from "./typist";

/** The key presses that write a payload from nothing, and its value. */
export interface KeyboardPayload {
  readonly write: (typist: Typist) => Promise<void>;
  readonly value: JsonValue;
}

/** A payload for each schema, written as somebody would who knows the editor's keys. */
export const keyboardPayloads: Readonly<Record<keyof typeof apiSchemas, KeyboardPayload>> = {
  "api-operation": {
    write: async (typist) => {
      await typist.ask("{ operationId, responses }");
      await typist.type("listPets");
      await typist.next();
      await typist.type('"200":');
      await typist.take("{ description }");
      await typist.type("The pets.");
      await typist.lastMember();
      await typist.type('"par');
      await typist.take("parameters");
      await typist.take("[{ name, in }]");
      await typist.type("limit");
      await typist.next();
      await typist.ask('"header"');
    },
    value: {
      operationId: "listPets",
      responses: { "200": { description: "The pets." } },
      parameters: [{ name: "limit", in: "header" }],
    },
  },
  "calendar-event": {
    write: async (typist) => {
      await typist.ask("{ summary, start, end }");
      await typist.type("Stand-up");
      await typist.next();
      await typist.ask("{ dateTime, timeZone }");
      await typist.type("2026-11-23T09:00:00+01:00");
      await typist.next();
      await typist.next();
      await typist.next();
      await typist.ask("{ date }");
      await typist.type("2026-11-24");
      await typist.lastMember();
      await typist.type('"rec');
      await typist.take("recurrence");
      await typist.ask('"weekly"');
      await typist.member();
      await typist.type('"by');
      await typist.take("byDay");
      await typist.take('"MO"');
      await typist.type(",");
      await typist.ask('"WE"');
    },
    value: {
      summary: "Stand-up",
      start: { dateTime: "2026-11-23T09:00:00+01:00", timeZone: "Europe/Berlin" },
      end: { date: "2026-11-24" },
      recurrence: { frequency: "weekly", byDay: ["MO", "WE"] },
    },
  },
  "chat-completion": {
    write: async (typist) => {
      await typist.ask("{ model, messages }");
      await typist.ask('"large-4"');
      await typist.next();
      await typist.ask('{ role: "system", content }');
      await typist.type("Be brief.");
      await typist.next();
      await typist.type(",");
      await typist.ask('{ role: "user", content }');
      await typist.ask('""');
      await typist.type("What is JSON?");
    },
    value: {
      model: "large-4",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What is JSON?" },
      ],
    },
  },
  "ci-workflow": {
    write: async (typist) => {
      await typist.ask("{ on, jobs }");
      await typist.ask('"push"');
      await typist.next();
      await typist.type('"build":');
      await typist.take("{ runs-on, steps }");
      await typist.ask('"ubuntu-latest"');
      await typist.next();
      await typist.ask("{ uses }");
      await typist.next();
      await typist.type(",");
      await typist.ask("{ run }");
      await typist.type("npm test");
    },
    value: {
      on: "push",
      jobs: {
        build: {
          "runs-on": "ubuntu-latest",
          steps: [{ uses: "actions/checkout@v4" }, { run: "npm test" }],
        },
      },
    },
  },
  deployment: {
    write: async (typist) => {
      await typist.ask('{ apiVersion: "apps/v1", kind: "Deployment", metadata … }');
      await typist.type("web");
      await typist.next();
      await typist.type('"app":');
      await typist.take('""');
      await typist.type("web");
      await typist.next();
      await typist.next();
      await typist.type("web");
      await typist.next();
      await typist.type("nginx:1.27");
    },
    value: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { spec: { containers: [{ name: "web", image: "nginx:1.27" }] } },
      },
    },
  },
  email: {
    write: async (typist) => {
      await typist.ask("{ from, to, subject, html }");
      await typist.type("ana@example.com");
      await typist.next();
      await typist.type("bo@example.com");
      await typist.next();
      await typist.type("Minutes");
      await typist.next();
      await typist.type("<p>Hello</p>");
      await typist.member();
      await typist.type('"att');
      await typist.take("attachments");
      await typist.take("[{ filename, content }]");
      await typist.type("minutes.txt");
      await typist.next();
      await typist.type("SGVsbG8=");
    },
    value: {
      from: { email: "ana@example.com" },
      to: [{ email: "bo@example.com" }],
      subject: "Minutes",
      html: "<p>Hello</p>",
      attachments: [{ filename: "minutes.txt", content: "SGVsbG8=" }],
    },
  },
  "feature-flags": {
    write: async (typist) => {
      await typist.ask("{ environment, flags }");
      await typist.ask('"staging"');
      await typist.next();
      await typist.type('"dark-mode":');
      await typist.take("{ enabled }");
      await typist.ask("true");
      await typist.member();
      await typist.type('"rol');
      await typist.take("rollout");
      await typist.type("25");
    },
    value: {
      environment: "staging",
      flags: { "dark-mode": { enabled: true, rollout: { percentage: 25 } } },
    },
  },
  geometry: {
    write: async (typist) => {
      await typist.ask('{ type: "GeometryCollection", geometries }');
      await typist.ask('{ type: "Point", coordinates }');
      await typist.type("13.4");
      await typist.next();
      await typist.type("52.5");
      await typist.next();
      await typist.type(",");
      await typist.ask('{ type: "LineString", coordinates }');
      for (const number of ["1.5", "2.5", "3.5"]) {
        await typist.type(number);
        await typist.next();
      }
      await typist.type("4.5");
    },
    value: {
      type: "GeometryCollection",
      geometries: [
        { type: "Point", coordinates: [13.4, 52.5] },
        {
          type: "LineString",
          coordinates: [
            [1.5, 2.5],
            [3.5, 4.5],
          ],
        },
      ],
    },
  },
  "issue-creation": {
    write: async (typist) => {
      await typist.ask("{ title }");
      await typist.ask('""');
      await typist.type("Crash");
      // The accepted proposal adds the missing comma.
      await typist.nextLine();
      await typist.type('"la');
      await typist.take("labels");
      await typist.take("{ name }");
      await typist.type("bug");
    },
    value: { title: "Crash", labels: [{ name: "bug" }] },
  },
  notification: {
    write: async (typist) => {
      await typist.ask("{ channel, message }");
      await typist.ask('"sms"');
      await typist.next();
      await typist.type("Open!");
      await typist.nextProblem();
      await typist.fix('Add "phone"');
      await typist.toLastMember();
      await typist.press("ArrowLeft");
      await typist.press("Control+Backspace");
      await typist.type("4930123456");
    },
    value: { channel: "sms", message: "Open!", phone: "+4930123456" },
  },
  "payment-charge": {
    write: async (typist) => {
      await typist.ask("{ amount, currency, payment_method }");
      await typist.type("1999");
      await typist.next();
      await typist.ask('"eur"');
      await typist.next();
      await typist.ask('{ type: "card", card }');
      await typist.type("4242424242424242");
      await typist.next();
      await typist.type("7");
      await typist.next();
      await typist.type("2030");
    },
    value: {
      amount: 1999,
      currency: "eur",
      payment_method: {
        type: "card",
        card: { number: "4242424242424242", exp_month: 7, exp_year: 2030 },
      },
    },
  },
  "search-query": {
    write: async (typist) => {
      await typist.ask("{ query }");
      await typist.ask("bool");
      await typist.take("must");
      await typist.take("{}");
      await typist.take("match");
      await typist.type('"title":');
      await typist.take('""');
      await typist.type("keyboard");
    },
    value: { query: { bool: { must: [{ match: { title: "keyboard" } }] } } },
  },
};
