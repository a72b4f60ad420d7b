import { describe } from "mocha";
import { invokesUsersRegistry } from "../invoke/invokesUsersRegistry";

describe("A folder that brings settings of ours, when a skill is invoked", () =>
  invokesUsersRegistry("folder"));
