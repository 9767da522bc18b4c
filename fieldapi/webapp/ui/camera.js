// @ts-check
/**
 * The camera inside the page: a live picture, and photos taken small. A file input would let the
 * system throw the page away for memory; it is only what remains where this fails.
 */

const LONG_EDGE = 1600;
const QUALITY = 0.75;
const PATIENCE_MS = 4000;

/** Why there is no camera: `denied` by a person, or `missing`. */
export class NoCamera extends Error {
  /** @param {"denied" | "missing"} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** An open camera. Close it: it costs battery, and its lamp says that it looks. */
export class Camera {
  /**
   * @param {HTMLVideoElement} video
   * @param {MediaStream} stream
   */
  constructor(video, stream) {
    this.video = video;
    this.stream = stream;
    [this.track] = stream.getVideoTracks();
    this.isLit = false;
  }

  /** Say whether the lamp can be switched. */
  get hasTorch() {
    const can = /** @type {any} */ (this.track.getCapabilities?.() ?? {});
    return Boolean(can.torch);
  }

  /** Switch the lamp. */
  async switchTorch() {
    const wanted = /** @type {any} */ ({ advanced: [{ torch: !this.isLit }] });
    await this.track.applyConstraints(wanted);
    this.isLit = !this.isLit;
  }

  /**
   * Take a photo: the sensor's own JPEG where the phone gives one, else the picture on the screen.
   * @returns {Promise<Blob>}
   */
  async take() {
    try {
      return await withPatience(this.#sensor());
    } catch {
      return grab(this.video);
    }
  }

  async #sensor() {
    const capture = new ImageCapture(this.track);
    const { imageWidth } = await capture.getPhotoCapabilities();
    const most = imageWidth?.max ?? LONG_EDGE;
    const photo = await capture.takePhoto({ imageWidth: Math.min(LONG_EDGE, most) });
    if (photo.type !== "image/jpeg") throw new TypeError(photo.type);
    return photo;
  }

  /** Let the camera go. */
  close() {
    for (const track of this.stream.getTracks()) track.stop();
    this.video.srcObject = null;
  }
}

/**
 * Open the camera at the back into a video element. Throws NoCamera.
 * @param {HTMLVideoElement} video
 * @returns {Promise<Camera>}
 */
export async function openCamera(video) {
  const wanted = { facingMode: "environment", width: { ideal: LONG_EDGE }, height: { ideal: 1200 } };
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
  } catch (error) {
    const isDenied = /** @type {Error} */ (error)?.name === "NotAllowedError";
    throw new NoCamera(isDenied ? "denied" : "missing");
  }
  video.srcObject = stream;
  await video.play().catch(() => undefined);
  return new Camera(video, stream);
}

/**
 * Return a small JPEG of a photo, or null if this phone cannot decode it.
 * @param {Blob} photo
 * @param {number} edge its width
 * @returns {Promise<Blob | null>}
 */
export async function thumbnail(photo, edge) {
  try {
    const bitmap = await createImageBitmap(photo, { resizeWidth: edge, resizeQuality: "medium" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.6 });
  } catch {
    return null;
  }
}

/** @param {HTMLVideoElement} video */
async function grab(video) {
  const scale = Math.min(1, LONG_EDGE / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  /** @type {Blob | null} */
  const photo = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  if (photo === null) throw new NoCamera("missing");
  return photo;
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function withPatience(promise) {
  /** @type {Promise<never>} */
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("late")), PATIENCE_MS));
  return Promise.race([promise, late]);
}
