// Replaces @vscode/spdlog, whose native part needs a C++ compiler. VS Code writes every output
// channel through it; without it, they stay empty. Each message is appended at once. Size limits and rotation are left
// out, since a run is short.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical", "off"];

class Logger {
  constructor(_type, _name, filename) {
    this.filename = filename;
    this.level = 2;
    this.raw = false;
    mkdirSync(dirname(filename), { recursive: true });
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    const line = this.raw ? message : `${time} [${levels[level]}] ${message}\n`;
    appendFileSync(this.filename, line);
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.raw = true;
  }
  flush() {}
  drop() {}
}

async function create(name, filename) {
  return new Logger("rotating", name, filename);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
