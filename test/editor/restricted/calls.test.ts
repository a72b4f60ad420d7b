import { describe } from "mocha";
import { invokesUsersRegistry } from "../invoke/invokesUsersRegistry";

describe("A folder that is not trusted, when a skill is invoked", () =>
  invokesUsersRegistry("folder"));
