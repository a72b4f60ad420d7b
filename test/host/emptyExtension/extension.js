// Does nothing.
exports.activate = () => {};
