import { catalogue } from "../catalogue/catalogue";
import { publishers } from "../catalogue/publishers";
import { found, refused } from "../http/answer";
import type { RuntimeGateway } from "../runtime/runtimeGateway";
import { mcpRoute } from "./mcpRoute";
import type { Route } from "./route";

/** The routes that run skills and tell how the registry is. */
export function serviceRoutes(gateway: RuntimeGateway): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/runtime/invoke",
      answer: ({ message, signal }) => gateway.invoke(message, signal),
    },
    {
      method: "GET",
      path: "/v1/runtime/invocations/{id}",
      answer: ({ message, places }) =>
        gateway.refuseKey(message) ?? invocation(gateway, places["id"] ?? ""),
    },
    mcpRoute(gateway),
    { method: "GET", path: "/v1/stats", answer: () => found({ stats: stats(gateway) }) },
    { method: "GET", path: "/v1/status", answer: () => found({ status }) },
    { method: "GET", path: "/health", answer: () => found({ status: "ok" }) },
  ];
}

function invocation(gateway: RuntimeGateway, id: string) {
  const seen = gateway.log.entries().find(({ invocationId }) => invocationId === id);
  return seen === undefined ? refused(404, "Invocation not found.") : found({ invocation: seen });
}

function stats(gateway: RuntimeGateway) {
  const verified = catalogue.filter(({ verificationStatus }) => verificationStatus === "verified");
  return {
    skillCount: catalogue.length,
    verifiedSkillCount: verified.length,
    publisherCount: publishers.length,
    invocationsSinceStart: gateway.log.count,
  };
}

const status = {
  overall: "operational",
  services: [
    {
      key: "catalogue",
      title: "Skill catalogue",
      status: "operational",
      description: "Search, skill pages and publishers.",
    },
    {
      key: "runtime",
      title: "Skill runtime",
      status: "operational",
      description: "Runs the skills that can be called.",
    },
  ],
} as const;
