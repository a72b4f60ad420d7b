// The JSON language service in a thread of its own, as editors run it: posts the problems it finds
// in each text it is sent.
const { parentPort, workerData } = require("node:worker_threads");
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const service = getLanguageService({});
parentPort.on("message", async (text) => {
  const document = TextDocument.create("bench:payload.json", "json", 0, text);
  const parsed = service.parseJSONDocument(document);
  parentPort.postMessage(await service.doValidation(document, parsed, {}, workerData));
});
