// Replaces VS Code's native watchdog, which ends an extension host that loops after its server has died. The run ends
// its processes itself (keeper.mjs).
exports.start = () => {};
exports.exit = (code) => process.exit(code);
