/** Marks a SQLite file as a store of this extension: "SKRS". */
export const applicationId = 0x534b5253;

/**
 * The steps from an empty file to the newest layout, in order. A file's `user_version` is the number of its finished
 * steps. Never change a published step; add one.
 */
export const migrations: readonly string[] = [
  `
  -- One row for each invocation of the record. "facts" is the JSON of an InvocationRecord; the other columns are what
  -- questions select by. Names sort by time.
  CREATE TABLE invocation (
    id TEXT PRIMARY KEY,
    startedAt INTEGER NOT NULL,
    registry TEXT NOT NULL,
    skill TEXT NOT NULL,
    status TEXT NOT NULL,
    caller TEXT NOT NULL,
    project TEXT,
    payloadId TEXT,
    contractHash TEXT,
    invocationId TEXT,
    profile TEXT NOT NULL,
    batch TEXT,
    isPinned INTEGER NOT NULL DEFAULT 0,
    facts TEXT NOT NULL
  );
  CREATE INDEX invocationOfSkill ON invocation (skill, id);
  CREATE INDEX invocationOfPayload ON invocation (payloadId, startedAt);
  CREATE INDEX invocationRunning ON invocation (payloadId) WHERE status = 'running';
  CREATE INDEX invocationInRetention ON invocation (batch, id, isPinned);

  -- Texts of up to 10 MB stand apart: what lists records does not read past them.
  CREATE TABLE texts (id TEXT PRIMARY KEY, input, output);

  -- One row for each invocation without a known end: its claim and what it is expected to cost. "isOver" keeps a claim
  -- for the second click of a double click.
  CREATE TABLE underway (
    id TEXT PRIMARY KEY,
    claim TEXT,
    isOver INTEGER NOT NULL DEFAULT 0,
    place TEXT NOT NULL,
    pid INTEGER NOT NULL,
    since INTEGER NOT NULL,
    startedAt INTEGER NOT NULL,
    endsBefore INTEGER NOT NULL,
    sentAt INTEGER NOT NULL,
    day TEXT NOT NULL,
    registry TEXT NOT NULL,
    skill TEXT NOT NULL,
    currency TEXT,
    cents INTEGER NOT NULL DEFAULT 0,
    isAgents INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX underwayByClaim ON underway (claim) WHERE claim IS NOT NULL;
  CREATE INDEX underwayByDay ON underway (day);

  -- What one skill cost on one day in one currency. What is only expected is added up beside it, so that no question
  -- depends on how many invocations have no end.
  CREATE TABLE dayCost (
    day TEXT NOT NULL,
    registry TEXT NOT NULL,
    skill TEXT NOT NULL,
    currency TEXT NOT NULL,
    isAgents INTEGER NOT NULL,
    cents INTEGER NOT NULL DEFAULT 0,
    calls INTEGER NOT NULL DEFAULT 0,
    dearestCents INTEGER NOT NULL DEFAULT 0,
    expectedCents INTEGER NOT NULL DEFAULT 0,
    expectedCalls INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, registry, skill, currency, isAgents)
  ) WITHOUT ROWID;
  CREATE INDEX dayCostOfSkill ON dayCost (registry, skill, day) WHERE dearestCents > 0;

  -- What a registry counts by, and when it was sent to within the last minute.
  CREATE TABLE rate (
    scope INTEGER PRIMARY KEY,
    registry TEXT NOT NULL,
    project TEXT NOT NULL,
    skill TEXT NOT NULL,
    "limit" INTEGER,
    refusedAt INTEGER,
    holdMs INTEGER,
    refusals INTEGER,
    UNIQUE (registry, project, skill)
  );
  CREATE TABLE rateCall (scope INTEGER NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX rateCallByTime ON rateCall (scope, at);

  CREATE TABLE agreement (
    "order" INTEGER PRIMARY KEY AUTOINCREMENT,
    registry TEXT NOT NULL,
    skill TEXT NOT NULL,
    version TEXT NOT NULL,
    terms TEXT NOT NULL,
    UNIQUE (registry, skill, version)
  );

  CREATE TABLE refusal (id TEXT PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE value (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- What the collector of the audit export does not have yet, and the program whose turn it is to deliver it.
  CREATE TABLE outbox (id TEXT PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE delivery (
    holder TEXT NOT NULL,
    place TEXT NOT NULL,
    pid INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL
  );
  `,
  `
  -- Who sends an invocation that may be billed, as in "rate", and its project where it is known: those of one project
  -- spend its budget together.
  ALTER TABLE underway ADD COLUMN sender TEXT;
  ALTER TABLE underway ADD COLUMN project TEXT;
  CREATE INDEX underwayOfSkill ON underway (registry, skill) WHERE sender IS NOT NULL;
  `,
  `
  -- What a registry lists of a project is found by its own names.
  CREATE INDEX invocationByAnswer ON invocation (invocationId) WHERE invocationId IS NOT NULL;
  `,
  `
  -- What invocations are added up by, so that no sum reads a record.
  ALTER TABLE invocation ADD COLUMN kind TEXT;
  ALTER TABLE invocation ADD COLUMN ran TEXT;
  ALTER TABLE invocation ADD COLUMN durationMs INTEGER;
  ALTER TABLE invocation ADD COLUMN amountCents INTEGER;
  ALTER TABLE invocation ADD COLUMN currency TEXT;
  ALTER TABLE invocation ADD COLUMN expectedCents INTEGER;
  ALTER TABLE invocation ADD COLUMN expectedCurrency TEXT;
  UPDATE invocation SET kind = facts ->> '$.kind', ran = facts ->> '$.ran', durationMs = facts ->> '$.durationMs',
    amountCents = facts ->> '$.amountCents', currency = facts ->> '$.currency',
    expectedCents = facts ->> '$.expectedCents', expectedCurrency = facts ->> '$.expectedCurrency'
    WHERE json_valid(facts);
  CREATE INDEX invocationPinned ON invocation (id) WHERE isPinned = 1;
  `,
];
