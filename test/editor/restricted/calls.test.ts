import { describe } from "mocha";
import { callsUsersRegistry } from "../callsUsersRegistry";

describe("A folder that is not trusted, when a skill is called", () =>
  callsUsersRegistry("folder"));
