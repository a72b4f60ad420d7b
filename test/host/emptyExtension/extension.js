// Does nothing: what our activation is measured against, and what is under development while the
// packaged extension is tested.
exports.activate = () => {};
