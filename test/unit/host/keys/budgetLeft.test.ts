import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ProjectDetail } from "../../../../src/core/project/project";
import { budgetLeft } from "../../../../src/host/keys/keyProject";
import type { InProject } from "../../../../src/host/workspace/signedIn";

const baseUrl = "https://registry.example";
const key = "skh_0123456789abcdef";
const ownKey = { id: "1", name: "own", last4: "cdef" };

const detailOf = (usage: object | undefined, keys: readonly object[] = [ownKey]) =>
  ({
    summary: { slug: "mail-desk", name: "Mail Desk" },
    keys,
    skills: [
      {
        ...{ slug: "csv-profile", name: "CSV", version: "1.0.0", status: "installed" },
        policy: { monthlyBudgetCents: 50 },
        ...(usage !== undefined && { usage }),
      },
    ],
  }) as unknown as ProjectDetail;

describe("the remaining budget of the chosen project in the editor", () => {
  /** Reads the budget of a project that is now `now` and was last known with `keys`. */
  async function read(facts: {
    readonly keys?: readonly object[];
    readonly now?: ProjectDetail;
    readonly at?: string;
    readonly isChosen?: boolean;
    readonly isKnown?: boolean;
  }) {
    const { keys = [ownKey], now, at = baseUrl, isChosen = true, isKnown = true } = facts;
    const asked: string[] = [];
    const routes = {
      project: async (slug: string) => {
        asked.push(slug);
        return now === undefined
          ? { ok: false, failure: { kind: "errorAnswer", status: 500 } }
          : { ok: true, value: now };
      },
    };
    const place = { registry: { baseUrl: at }, routes, detail: detailOf({ cents: 0 }, keys) };
    const inChosen = place as unknown as InProject;
    const project: Parameters<typeof budgetLeft>[0] = {
      remembered: async () =>
        isChosen
          ? ({ chosen: {} } as unknown as Awaited<ReturnType<typeof project.remembered>>)
          : undefined,
      ready: async () => undefined,
      inChosen: async () => (isKnown ? inChosen : undefined),
    };
    return { budget: await budgetLeft(project, { baseUrl }, "csv-profile", key), asked };
  }
  const none = { budget: undefined, asked: [] };
  const knownAs = (leftCents: number | undefined) => ({
    budget: {
      project: "mail-desk",
      left: leftCents === undefined ? undefined : { cents: leftCents, currency: "" },
    },
    asked: ["mail-desk"],
  });

  it("is read from the registry at that moment, not from a cache", async () => {
    assert.deepEqual(await read({ now: detailOf({ cents: 20 }) }), knownAs(30));
  });

  it("is unknown if the spending is unknown", async () => {
    assert.deepEqual(await read({ now: detailOf(undefined) }), knownAs(undefined));
    assert.deepEqual(await read({}), knownAs(undefined));
  });

  const cases: Readonly<Record<string, Parameters<typeof read>[0]>> = {
    "nobody chose a project": { isChosen: false },
    "the project could not be read": { isKnown: false },
    "the project is one of another registry": { at: "https://other.example" },
    "the key is another project's": { keys: [{ ...ownKey, last4: "0000" }] },
    "the list of keys does not show whose the key is": { keys: [{ ...ownKey, last4: "" }] },
    "the key was revoked": { keys: [{ ...ownKey, revokedAt: 1 }] },
  };
  for (const [title, facts] of Object.entries(cases)) {
    it(`is unknown, and not requested, if ${title}`, async () =>
      assert.deepEqual(await read({ now: detailOf({ cents: 0 }), ...facts }), none));
  }
});
