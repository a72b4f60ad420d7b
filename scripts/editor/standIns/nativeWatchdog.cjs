// Stands in for VS Code's native watchdog, which ends an extension host that is stuck in a loop after
// its server has died. The run ends its processes by itself (keeper.mjs), stuck or not.
exports.start = () => {};
exports.exit = (code) => process.exit(code);
