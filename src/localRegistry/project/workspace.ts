import { Accounts, type DeliverCode } from "./accounts";
import { createDemoProject } from "./demoProject";
import { InvocationLog } from "./invocationLog";
import { digestOf, type KeptKey, Project } from "./project";

/** Everything the registry keeps in memory: the projects of its one organization. */
export class Workspace {
  readonly projects = new Map<string, Project>();
  readonly log = new InvocationLog();
  readonly accounts: Accounts;

  /** `now` is the time in milliseconds since 1970, `projectKey` the first key of the demo project. */
  constructor(
    readonly now: () => number,
    projectKey?: string,
    deliver?: DeliverCode,
  ) {
    this.accounts = new Accounts(now, deliver);
    const demo = createDemoProject(now());
    this.projects.set(demo.slug, demo);
    this.projectKey = demo.addKey("Built-in key", now(), projectKey).key;
  }

  /** The key that the registry prints and hands to the extension. */
  readonly projectKey: string;

  /** Finds whose Project Key a token is; undefined for one that is unknown or revoked. */
  findKey(token: string): { readonly project: Project; readonly key: KeptKey } | undefined {
    const digest = digestOf(token);
    for (const project of this.projects.values()) {
      const key = project.keys.find((one) => one.digest === digest && one.revokedAt === null);
      if (key !== undefined) return { project, key };
    }
    return undefined;
  }

  /**
   * The project of a slug for a change. As on the gateway, one that is unknown is made, and the name
   * of one that is there goes back to what its slug makes of it.
   */
  openProject(slug: string): Project {
    const name = titleOf(slug);
    const known = this.projects.get(slug);
    if (known !== undefined) known.name = name;
    return known ?? this.addProject(slug, name);
  }

  /** Makes a project without keys and installs. */
  addProject(slug: string, name: string): Project {
    const project = new Project(slug, name, new Date(this.now()).toISOString());
    this.projects.set(slug, project);
    return project;
  }
}

function titleOf(slug: string): string {
  const words = slug.split("-").filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
