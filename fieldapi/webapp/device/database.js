// @ts-check
/**
 * The databases of a phone: one for each identity that was enrolled here, and a small registry of
 * them. Everything is written in strict transactions: a promise of `write` resolves once it is on
 * disk. Opened by `phone.js`; no other module touches IndexedDB itself.
 */

import { Fault, storageFault } from "./faults.js";

export const REGISTRY = "fieldapi";

/** @typedef {(db: IDBDatabase) => void} Step what brings a database to its next version */

/** @type {Step[]} never change a step, add one: an older app may have run it */
const PHONE = [
  (db) => {
    for (const name of ["facts", "bytes", "preview", "counter"]) db.createObjectStore(name);
    const op = db.createObjectStore("op", { keyPath: "stamp" });
    op.createIndex("id", "id", { unique: true });
    op.createIndex("record", ["kind", "record"]);
    op.createIndex("status", "status");
    op.createIndex("report", "report");
    const photo = db.createObjectStore("photo", { keyPath: "id" });
    for (const name of ["state", "sha256", "draft", "report"]) photo.createIndex(name, name);
    for (const name of ["draft", "report"]) db.createObjectStore(name, { keyPath: "id" });
    db.createObjectStore("pulled", { keyPath: ["kind", "id"] });
    db.createObjectStore("looked", { keyPath: ["kind", "id", "field"] });
    db.createObjectStore("head", { keyPath: ["authority", "epoch"] });
    db.createObjectStore("alarm", { keyPath: "key" });
  },
];

/** @type {Step[]} */
const PHONES = [
  (db) => {
    db.createObjectStore("identity", { keyPath: "device" });
    db.createObjectStore("enrolment", { keyPath: "code" });
    db.createObjectStore("facts");
  },
];

/** @type {Map<string, Promise<IDBDatabase>>} */
const opened = new Map();

/**
 * Return the open database of this name, made on first use. Raises `no-storage`.
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
export function open(name) {
  const known = opened.get(name);
  if (known) return known;
  const opening = connect(name, name === REGISTRY ? PHONES : PHONE);
  opened.set(name, opening);
  opening.catch(() => opened.delete(name));
  return opening;
}

/**
 * Return the name of the database of a device.
 * @param {string} device
 */
export function nameOf(device) {
  return `${REGISTRY}-${device}`;
}

/**
 * @param {string} name
 * @param {Step[]} steps
 * @returns {Promise<IDBDatabase>}
 */
function connect(name, steps) {
  return new Promise((resolve, reject) => {
    const request = asked(name, steps.length);
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const step of steps.slice(oldVersion)) step(request.result);
    };
    request.onerror = () => reject(storageFault(request.error));
    request.onsuccess = () => {
      const db = request.result;
      // A newer app in another tab must be able to migrate; this one opens it again when needed.
      db.onversionchange = () => {
        db.close();
        opened.delete(name);
      };
      db.onclose = () => opened.delete(name);
      resolve(db);
    };
  });
}

/**
 * Ask for a database; a browser that is told to keep nothing throws at once.
 * @param {string} name
 * @param {number} version
 */
function asked(name, version) {
  try {
    return indexedDB.open(name, version);
  } catch (error) {
    throw storageFault(error);
  }
}

/** The stores of one transaction. Await nothing but these inside it, or it ends. */
export class Stores {
  /** @param {IDBTransaction} tx */
  constructor(tx) {
    this.tx = tx;
  }

  /** @param {string} store @param {IDBValidKey} key @returns {Promise<any>} */
  get(store, key) {
    return reply(this.tx.objectStore(store).get(key));
  }

  /** @param {string} store @param {any} value @param {IDBValidKey} [key] @returns {Promise<any>} */
  put(store, value, key) {
    return reply(this.tx.objectStore(store).put(value, key));
  }

  /** @param {string} store @param {IDBValidKey} key @returns {Promise<any>} */
  delete(store, key) {
    return reply(this.tx.objectStore(store).delete(key));
  }

  /** @param {string} store @returns {Promise<any>} */
  clear(store) {
    return reply(this.tx.objectStore(store).clear());
  }

  /**
   * Return all values, or those under one key of an index, in the order of the store's keys.
   * @param {string} store @param {string} [index] @param {IDBValidKey} [key] @returns {Promise<any[]>}
   */
  all(store, index, key) {
    const from = this.tx.objectStore(store);
    return reply(index === undefined ? from.getAll() : from.index(index).getAll(key));
  }

  /** @param {string} store @param {string} index @param {IDBValidKey} key @returns {Promise<any>} */
  first(store, index, key) {
    return reply(this.tx.objectStore(store).index(index).get(key));
  }

  /** @param {string} store @param {string} index @param {IDBValidKey} key @returns {Promise<number>} */
  count(store, index, key) {
    return reply(this.tx.objectStore(store).index(index).count(key));
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function reply(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Do `work` on these stores: all of it is on disk when this returns, or nothing of it.
 * @template T
 * @param {string} name of the database
 * @param {string[]} stores
 * @param {(stores: Stores) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function write(name, stores, work) {
  return run(name, stores, "readwrite", work);
}

/**
 * Read from these stores as they are at one moment.
 * @template T
 * @param {string} name of the database
 * @param {string[]} stores
 * @param {(stores: Stores) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function read(name, stores, work) {
  return run(name, stores, "readonly", work);
}

/**
 * @template T
 * @param {string} name
 * @param {string[]} stores
 * @param {"readonly" | "readwrite"} mode
 * @param {(stores: Stores) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function run(name, stores, mode, work) {
  const tx = await begin(name, stores, mode);
  const ended = new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve(undefined);
    tx.onabort = () => reject(tx.error ?? new DOMException("aborted", "AbortError"));
  });
  ended.catch(() => undefined);
  try {
    const result = await work(new Stores(tx));
    await ended;
    return result;
  } catch (error) {
    if (tx.error === null) abort(tx);
    throw storageFault(tx.error ?? error, { isWriting: mode === "readwrite" });
  }
}

/**
 * @param {string} name
 * @param {string[]} stores
 * @param {"readonly" | "readwrite"} mode
 */
async function begin(name, stores, mode) {
  const options = /** @type {IDBTransactionOptions} */ ({ durability: "strict" });
  const db = await open(name);
  try {
    return db.transaction(stores, mode, options);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
    opened.delete(name); // the browser closed it behind our back
    return (await open(name)).transaction(stores, mode, options);
  }
}

/** @param {IDBTransaction} tx */
function abort(tx) {
  try {
    tx.abort();
  } catch {
    // It has ended already; what was thrown is what is told.
  }
}

/**
 * Return the value, or raise `unknown`.
 * @template T
 * @param {T | undefined} value
 * @param {string} what
 * @returns {T}
 */
export function found(value, what) {
  if (value === undefined) throw new Fault("unknown", what);
  return value;
}
