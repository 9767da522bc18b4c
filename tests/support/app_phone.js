// @ts-check
/**
 * A phone without screens, for tests: the device layer in a worker of its own, which can be killed
 * at any moment as a phone can. `window.phones.start()` gives one; all of a page share its storage.
 * `line` of a call says how its requests fare: `open`, `off`, `lost` (the answer), or a number from
 * 0 to 1: the chance of each fault.
 */

const SHELF = document.documentElement.dataset.shelf;

const WORKER = `
let line = "open";
let log = [];
const really = self.fetch.bind(self);
const later = self.setTimeout.bind(self);
self.setTimeout = (work, ms) => later(work, ms / 50); // the patience of phones, not of tests
const wait = (ms) => new Promise((resolve) => later(resolve, ms));
self.fetch = async (path, init) => {
  const dice = typeof line === "number" ? Math.random() / line : 9;
  if (line === "off" || dice < 0.33) throw new TypeError("no network");
  log.push([init.method, path, init.headers["Upload-Offset"] ?? null, init.body?.byteLength ?? init.body?.size ?? 0]);
  const answer = await really(${JSON.stringify(location.origin)} + path, init);
  if (line === "lost" || dice < 0.66) throw new TypeError("the answer was lost");
  if (dice < 1) await wait(5);
  return answer;
};
const phone = await import(${JSON.stringify(location.origin + SHELF)} + "device/phone.js");
const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (_, one) => (one instanceof Set ? [...one] : one)));
const special = {
  log: async () => { const told = log; log = []; return told; },
  photo: async (draft, bytes, about) => phone.addPhoto(draft, new Uint8Array(bytes).buffer, about),
  random: async (draft, size, about) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
    bytes.set([0xff, 0xd8, 0xff, 0xe0]);
    return phone.addPhoto(draft, bytes.buffer, about);
  },
  zip: async () => {
    const { blob, ...told } = await phone.exportOutbox();
    return { ...told, bytes: [...new Uint8Array(await blob.arrayBuffer())] };
  },
  hash: async (id) => {
    const blob = await phone.photoBytes(id);
    if (blob === null) return null;
    const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  smallPicture: async (id) => phone.setPreview(id, new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...new Uint8Array(2000)]).buffer),
  room: async (free) => {
    navigator.storage.estimate = async () => ({ usage: 0, quota: free });
    return null;
  },
  loseToken: async () => {
    const { nameOf, write } = await import(${JSON.stringify(location.origin + SHELF)} + "device/database.js");
    const { device } = await phone.me();
    await write(nameOf(device.id), ["facts"], (stores) => stores.put("facts", "csd1_of_nobody", "token"));
  },
  editSeen: async (kind, id, fields) => phone.edit(kind, id, fields, { seen: await phone.screen(kind, id) }),
};
onmessage = async ({ data: { call, name, args, how } }) => {
  if (how !== undefined) line = how;
  try {
    postMessage({ call, value: plain(await (special[name] ?? phone[name])(...args)) });
  } catch (error) {
    postMessage({ call, fault: error.code ?? String(error.stack ?? error), detail: String(error) });
  }
};
postMessage({ isReady: true });
`;

class Phone {
  constructor() {
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.worker = new Worker(url, { type: "module" });
    this.calls = new Map();
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => (data.isReady ? resolve(this) : this.settle(data));
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
  }

  settle({ call, value, fault, detail }) {
    const { resolve, reject } = this.calls.get(call);
    this.calls.delete(call);
    if (fault === undefined) resolve(value);
    else reject(Object.assign(new Error(detail), { code: fault }));
  }

  call(name, args = [], how = undefined) {
    if (this.isDead) return Promise.reject(Object.assign(new Error("killed"), { code: "killed" }));
    const call = this.calls.size + Math.random();
    return new Promise((resolve, reject) => {
      this.calls.set(call, { resolve, reject });
      this.worker.postMessage({ call, name, args, how });
    });
  }

  /** Kill it where it stands: nobody hears of what it was doing. */
  kill() {
    this.isDead = true;
    this.worker.terminate();
    for (const { reject } of this.calls.values()) reject(Object.assign(new Error("killed"), { code: "killed" }));
    this.calls.clear();
  }
}

/** @type {any} */ (window).phones = {
  all: [],
  /** Where many are killed, the next is made while the last one lives: making takes longest. */
  keepsSpare: false,
  spare: null,
  async start() {
    const phone = await (this.spare ?? new Phone().ready);
    this.spare = this.keepsSpare ? new Phone().ready : null;
    this.all.push(phone);
    return this.all.length - 1;
  },
  call(at, name, args, how) {
    return this.all[at].call(name, args, how).then(
      (value) => ({ value }),
      (error) => ({ fault: error.code ?? "error", detail: String(error) }),
    );
  },
  kill(at) {
    this.all[at].kill();
  },
};
