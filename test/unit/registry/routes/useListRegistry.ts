import assert from "node:assert/strict";
import { afterEach } from "mocha";
import type { Result } from "../../../../src/core/registry/registryFailure";
import type { SkillListPage } from "../../../../src/core/skillList/skillQuery";
import type {
  RegistryClient,
  RegistryClientOptions,
} from "../../../../src/registry/registryClient";
import type { RecordedRequest } from "../../../fixtures/network/recordingServer";
import { clientFor } from "../../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

/** The response to a list request: a value is sent as JSON, a text unchanged, a number as a status without a body. */
export type List = (request: RecordedRequest, url: URL) => unknown;

/** Returns the page of a result, or fails. */
export function value(result: Result<SkillListPage>): SkillListPage {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** Returns the slugs of a page, joined by commas. */
export function slugs(page: SkillListPage): string {
  return page.skills.map(({ slug }) => slug).join();
}

/** Starts a registry that returns the list of a test. */
export function useListRegistry() {
  let server: TestRegistry | undefined;
  let client: RegistryClient | undefined;

  async function open(
    list: List,
    options: Partial<RegistryClientOptions> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    server = await startTestRegistry({
      "**": (asked): Answer => {
        const url = new URL(asked.path, "http://registry");
        const isList = url.pathname.endsWith("/v1/skills/search");
        const body = isList ? list(asked, url) : 404;
        return typeof body === "number" ? { status: body, headers } : { headers, body };
      },
    });
    client = clientFor(server.baseUrl, options);
    return { server, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  function lists(): readonly URLSearchParams[] {
    const paths = (server?.requests ?? []).map(
      (request) => new URL(request.path, "http://registry"),
    );
    return paths.filter((url) => url.pathname.endsWith("/search")).map((url) => url.searchParams);
  }
  return { open, lists };
}
