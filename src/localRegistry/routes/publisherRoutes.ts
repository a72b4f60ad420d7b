import { okAnswer, Refusal, type Route } from "../handleRequest";
import type { Workspace } from "../project/workspace";
import { signedIn, type UserAnswer } from "./accountRoutes";

/** The roles that may publish, as listed by the gateway. */
const roles = ["super_admin", "admin", "owner", "publisher"];

/** Returns the routes for publishing skills: drafts, reviews and status. */
export function publisherRoutes(workspace: Workspace): readonly Route[] {
  const { publishing } = workspace;
  const publisher = (answer: UserAnswer) =>
    signedIn(workspace, (request, session) => {
      if (roles.includes(session.user.role)) return answer(request, session);
      throw new Refusal(403, `Requires one of these roles: ${roles.join(", ")}.`);
    });
  const versions = "/v1/publisher/skills/{skill}/versions";
  return [
    {
      method: "POST",
      path: "/v1/skills",
      answer: publisher(({ body }) => ({
        status: 201,
        body: publishing.save(body.members["manifest"]),
      })),
    },
    {
      method: "GET",
      path: "/v1/publisher/skills",
      answer: publisher(() => okAnswer({ skills: publishing.skills() })),
    },
    {
      method: "GET",
      path: versions,
      answer: publisher(({ params }) =>
        okAnswer({ versions: publishing.versions(params["skill"] ?? "") }),
      ),
    },
    {
      method: "POST",
      path: versions,
      answer: publisher(({ params, body }) => {
        const version = publishing.save(body.members["manifest"], params["skill"]);
        return { status: 201, body: { version } };
      }),
    },
    {
      method: "POST",
      path: `${versions}/{version}/submit`,
      answer: publisher(({ params: { skill = "", version = "" } }) => {
        return { status: 201, body: { review: publishing.submit(skill, version) } };
      }),
    },
  ];
}
