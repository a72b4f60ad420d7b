import { describe } from "mocha";
import { demo, itAnswers, noId, type Row, role, withWorkspace } from "../withWorkspace";

const subscriptions = `${demo}/subscriptions`;

/** Requests that change nothing that another row uses. */
const rows: readonly Row[] = [
  ["finance", "POST /v1/checkout/sessions", {}, 403, role],
  [
    "developer",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data" },
    400,
    "Stripe commerce is not active. Configure Stripe in admin platform settings.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data", provider: "cash" },
    400,
    "Checkout provider must be stripe or paypal.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "text-stats" },
    404,
    "Active skill price or project not found.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "nothing-here", skillSlug: "market-data" },
    404,
    "Active skill price or project not found.",
  ],
  [
    "owner",
    "POST /v1/checkout/sessions",
    { projectSlug: "local-demo", skillSlug: "market-data", provider: "paypal" },
    400,
    "PayPal commerce is not active. Configure PayPal in admin platform settings.",
  ],

  ["finance", `POST ${subscriptions}`, { skillSlug: "market-data" }, 403, role],
  ["owner", `POST ${subscriptions}`, {}, 400, "skillSlug is required."],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "market-data", status: "odd" },
    400,
    "Subscription status must be trialing or active.",
  ],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "nothing-here" },
    400,
    "Project, skill, or active price not found.",
  ],
  [
    "owner",
    "POST /v1/projects/nothing-here/subscriptions",
    { skillSlug: "market-data" },
    400,
    "Project, skill, or active price not found.",
  ],
  [
    "owner",
    `POST ${subscriptions}`,
    { skillSlug: "redact-pii" },
    400,
    "Only subscription-priced skills can create project subscriptions.",
  ],
  [
    "developer",
    `POST ${subscriptions}`,
    { skillSlug: "market-data" },
    201,
    {
      subscription: {
        projectSlug: "local-demo",
        skillSlug: "market-data",
        displayName: "Market data",
        status: "trialing",
        billingModel: "subscription",
        currency: "usd",
        pausedAt: null,
        canceledAt: null,
      },
    },
  ],

  ["finance", `PUT ${subscriptions}/${noId}/status`, { status: "canceled" }, 403, role],
  [
    "owner",
    `PUT ${subscriptions}/${noId}/status`,
    { status: "canceled" },
    400,
    "FOR UPDATE cannot be applied to the nullable side of an outer join",
  ],
];

describe("the workspace's routes", () => {
  const { ask } = withWorkspace();
  itAnswers(rows, ask);
});
