// @ts-check
/**
 * How the app says things in one language: sentences, moments, numbers, distances. English is the
 * message itself. Latin digits, lakh grouping, India's time and months by name in every language.
 */

export const LANGUAGES = {
  en: "English",
  gu: "ગુજરાતી",
  hi: "हिन्दी",
  kn: "ಕನ್ನಡ",
  ml: "മലയാളം",
};

const KEY = "language";
const KM = 1000;
/** Languages whose one form serves 0 and 1, as their catalogues say. */
const ONE_IS_UP_TO_ONE = new Set(["gu", "hi", "kn"]);

/** @type {{[message: string]: string | string[]}} */
let sentences = {};
/** @type {{[code: string]: [string, string]}} names of kinds, for one and for more */
let kinds = {};
let spoken = "en";

/**
 * Speak the chosen language, else the first that the phone asks for and we know.
 * @returns {Promise<void>}
 */
export async function speakAsChosen() {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((one) => one.slice(0, 2))];
  await speak(wanted.find((one) => one !== null && Object.hasOwn(LANGUAGES, one)) ?? "en");
}

/**
 * Speak a language from now on and remember it. A catalogue that cannot be read leaves English.
 * @param {string} language
 * @returns {Promise<void>}
 */
export async function choose(language) {
  localStorage.setItem(KEY, language);
  await speak(language);
}

/** Say which language is spoken. */
export function language() {
  return spoken;
}

/** Say whether somebody chose the language here. */
export function hasChosen() {
  return localStorage.getItem(KEY) !== null;
}

/** @param {string} language */
async function speak(language) {
  const found = language === "en" ? {} : await read(language);
  sentences = found.sentences ?? {};
  kinds = found.kinds ?? {};
  spoken = language;
  document.documentElement.lang = language;
}

/** @param {string} language */
async function read(language) {
  try {
    return await (await fetch(new URL(`../locale/${language}.json`, import.meta.url))).json();
  } catch {
    return {};
  }
}

/**
 * Return a sentence, its `{named}` places filled.
 * @param {string} message
 * @param {{[name: string]: string | number}} [values]
 * @returns {string}
 */
export function _(message, values) {
  const found = sentences[message];
  return filled(typeof found === "string" ? found : message, values);
}

/**
 * Mark a sentence that is said later.
 * @param {string} message
 * @returns {string}
 */
export function sentence(message) {
  return message;
}

/**
 * Return the form for a number; `{number}` is filled too.
 * @param {string} one
 * @param {string} other
 * @param {number} count
 * @param {{[name: string]: string | number}} [values]
 * @returns {string}
 */
export function ngettext(one, other, count, values) {
  const isOne = count === 1 || (count === 0 && ONE_IS_UP_TO_ONE.has(spoken));
  const forms = sentences[one];
  const [first, second] = Array.isArray(forms) ? forms : [one, other];
  return filled(isOne ? first : second, { number: number(count), ...values });
}

/**
 * @param {string} text
 * @param {{[name: string]: string | number} | undefined} values
 */
function filled(text, values) {
  if (values === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (hole, name) => String(values[name] ?? hole));
}

/**
 * Return the name of a kind of animal, for one or for more.
 * @param {{code: string, label: string, label_plural: string}} kind as the statute names it
 * @param {number} [count]
 * @returns {string}
 */
export function kindName(kind, count = 1) {
  const [one, other] = kinds[kind.code] ?? [kind.label, kind.label_plural];
  return count === 1 ? one : other;
}

/**
 * Return a number as India groups it, e.g. `12,34,567`.
 * @param {number} value
 */
export function number(value) {
  return new Intl.NumberFormat("en-IN", { maximumFractionDigits: 2 }).format(value);
}

/**
 * Return a sum as India writes it, e.g. `₹12,34,567.50`.
 * @param {number} paise
 */
export function money(paise) {
  const shape = /** @type {const} */ ({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const sum = new Intl.NumberFormat("en-IN", shape).format(Math.abs(paise) / 100);
  return `${paise < 0 ? "-" : ""}₹${sum}`;
}

/**
 * Return an instant as a clock in India shows it, e.g. `30 Nov 2026, 6:35 PM`.
 * @param {number} ms since 1970
 */
export function moment(ms) {
  return `${day(ms)}, ${clock(ms)}`;
}

/**
 * Return the day of an instant in India, e.g. `30 Nov 2026`.
 * @param {number} ms
 */
export function day(ms) {
  const shape = /** @type {const} */ ({ day: "numeric", month: "short", year: "numeric" });
  const part = partsOf(ms, `${spoken}-IN-u-nu-latn`, shape);
  return `${part.day} ${part.month} ${part.year}`;
}

/**
 * Return the time of day in India, e.g. `6:35 PM`.
 * @param {number} ms
 */
export function clock(ms) {
  const shape = /** @type {const} */ ({ hour: "numeric", minute: "2-digit", hour12: true });
  const part = partsOf(ms, "en-IN", shape);
  return `${part.hour}:${part.minute} ${part.dayPeriod.toUpperCase()}`;
}

/**
 * @param {number} ms
 * @param {string} locale
 * @param {Intl.DateTimeFormatOptions} shape
 * @returns {{[type: string]: string}}
 */
function partsOf(ms, locale, shape) {
  const format = new Intl.DateTimeFormat(locale, { ...shape, timeZone: "Asia/Kolkata" });
  return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
}

/**
 * Return a distance in metres, in kilometres from 1 km.
 * @param {number} metres
 */
export function distance(metres) {
  if (metres < KM) return _("{number} m", { number: number(Math.round(metres)) });
  const km = metres / KM;
  return _("{number} km", { number: number(km >= 10 ? Math.round(km) : Math.round(km * 10) / 10) });
}

/**
 * Return a size, in kB, MB or GB.
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 1e6) return _("{number} kB", { number: number(Math.max(1, Math.round(bytes / 1e3))) });
  if (bytes < 1e9) return _("{number} MB", { number: number(Math.round(bytes / 1e5) / 10) });
  return _("{number} GB", { number: number(Math.round(bytes / 1e8) / 10) });
}
