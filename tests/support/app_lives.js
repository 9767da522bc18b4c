// @ts-check
/**
 * Lives of one phone by chance: saves, edits, undos, sendings over good and bad lines, kills at any
 * moment, a second tab. `window.lives.run(seed, count)` tells what the phone promised, so that it
 * can be held against what the server has.
 */

const SAID = {
  kind: "seizure",
  animals: [{ kind: "buffalo", count: 2 }, { kind: "cow", count: 1 }],
  undoMs: 0,
};
const ABOUT = { mediaType: "image/jpeg", source: "camera", takenAt: "2026-11-30T05:10:30.000Z" };
const LINES = ["open", "off", "lost", 0.4, 0.8];

/** Numbers from 0 to 1 that follow from a seed. */
function diceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Life {
  constructor(seed, fields) {
    this.dice = diceOf(seed);
    this.fields = fields;
    /** @type {Map<string, {photos: number}>} reports whose saving was acknowledged, not undone */
    this.saved = new Map();
    this.kills = 0;
    this.line = "open";
  }

  pick(choices) {
    return choices[Math.floor(this.dice() * choices.length)];
  }

  async begin() {
    this.at = await phones.start();
    this.line = "open";
  }

  async call(name, ...args) {
    return phones.call(this.at, name, args, this.line);
  }

  async kill() {
    this.kills += 1;
    phones.kill(this.at);
    await this.begin();
  }

  /** Do it, or be killed while it is done. */
  async perhapsKilled(work) {
    if (this.dice() > 0.25) return work();
    const doing = work().catch(() => undefined);
    await wait(this.dice() * 40);
    await this.kill();
    return doing;
  }

  async save() {
    const photos = this.dice() < 0.4 ? 1 : 0;
    const { value: draft } = await this.call("saveDraft", { step: "count" });
    if (!draft) return;
    if (photos) await this.call("random", draft.id, 2000 + Math.floor(this.dice() * 120_000), ABOUT);
    const said = { ...SAID, draft: draft.id, fields: this.fields };
    const { value } = await this.call("saveReport", said);
    if (value) this.saved.set(value.id, { photos });
  }

  async edit() {
    const id = this.pick([...this.saved.keys()]);
    if (id) await this.call("edit", "seizure", id, { remarks: `seen ${this.dice()}` });
  }

  async undo() {
    const id = this.pick([...this.saved.keys()]);
    if (!id) return;
    const known = this.saved.get(id);
    this.saved.delete(id); // killed meanwhile, nobody knows: it may be there and may not
    const { value, fault } = await this.call("undoReport", id);
    if (value?.how === "retracted" || (fault && fault !== "killed")) this.saved.set(id, known);
  }

  async send() {
    this.line = this.pick(LINES);
    await this.call("sendNow");
  }

  async sendTwice() {
    const twin = await phones.start();
    this.line = this.pick(LINES);
    await Promise.all([this.call("sendNow"), phones.call(twin, "sendNow", [], this.pick(LINES))]);
    phones.kill(twin);
  }

  async sequence() {
    const steps = 2 + Math.floor(this.dice() * 3);
    for (let step = 0; step < steps; step += 1) {
      const name = this.pick(["save", "save", "save", "edit", "send", "send", "sendTwice", "undo"]);
      await this.perhapsKilled(() => this[name]());
    }
  }

  /** Come home: a good line, and time. */
  async settle() {
    await this.kill();
    for (let tries = 0; tries < 6; tries += 1) {
      await this.call("sendNow");
      const { value } = await this.call("status");
      if (value.opsWaiting === 0 && value.photosWaiting === 0) break;
    }
    const { value: reports } = await this.call("reports");
    const { value: status } = await this.call("status");
    return { saved: Object.fromEntries(this.saved), reports, status, kills: this.kills };
  }
}

/** @type {any} */ (window).lives = {
  async run(seed, count, fields) {
    const life = new Life(seed, fields);
    phones.keepsSpare = true;
    await life.begin();
    for (let at = 0; at < count; at += 1) await life.sequence();
    return life.settle();
  },
};
