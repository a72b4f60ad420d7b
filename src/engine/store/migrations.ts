/** Marks a SQLite file as a store of this extension: "SKRS". */
export const applicationId = 0x534b5253;

/**
 * The steps from an empty file to the newest layout, in order. A file's `user_version` is the number of its finished
 * steps. Never change a published step; add one.
 */
export const migrations: readonly string[] = [
  `
  -- One row for each invocation of the record. "facts" is the JSON of an InvocationRecord. Queries select by the other
  -- columns. IDs sort by time.
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

  -- Payloads and outputs of up to 10 MB have their own table, so that a list of records does not read past them.
  CREATE TABLE texts (id TEXT PRIMARY KEY, input, output);

  -- One row for each invocation without a known end: its claim and its expected cost. "isOver" is set after the end,
  -- while the claim still blocks the second click of a double click.
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

  -- The cost of one skill on one day in one currency. The expected cost of invocations without an end is a sum too, so
  -- that no query depends on their number.
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

  -- The scopes of rate limits, and the times of the calls in the last minute.
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
  -- The events that the collector of the audit export does not have yet, and the program that delivers them now.
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
  -- The sender of an invocation that may be billed, as in "rate", and its project if known. Invocations of one project
  -- share its budget.
  ALTER TABLE underway ADD COLUMN sender TEXT;
  ALTER TABLE underway ADD COLUMN project TEXT;
  CREATE INDEX underwayOfSkill ON underway (registry, skill) WHERE sender IS NOT NULL;
  `,
  `
  -- Invocations that a registry lists for a project are found by the registry's IDs.
  CREATE INDEX invocationByAnswer ON invocation (invocationId) WHERE invocationId IS NOT NULL;
  `,
  `
  -- The columns for sums, so that they need not parse records.
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
  `
  -- The signal (traces or logs) of an event that the collector has already, while the other is missing. Each signal is
  -- delivered in its own turn.
  ALTER TABLE outbox ADD COLUMN taken TEXT;
  ALTER TABLE delivery ADD COLUMN signal TEXT NOT NULL DEFAULT 'traces';
  `,
];
