import { MAX_FILE_BYTES } from './picture.ts';

/** The response to an upload. */
export type Uploaded = { id: string; name: string; href: string } | { message: string };

/** A picture with a longer side is made smaller: enough for any screen. */
const MAX_SIDE = 2_400;
const QUALITIES = [0.85, 0.6, 0.3];

/** Makes a picture small enough to be sent. A small one stays as it is, and so does what browsers cannot read. */
export async function fitPicture(file: File): Promise<File> {
  const bitmap = file.size > MAX_FILE_BYTES ? await createImageBitmap(file).catch(() => null) : null;
  if (!bitmap) return file;
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    if (blob.size > MAX_FILE_BYTES) continue;
    const ending = blob.type === 'image/webp' ? 'webp' : 'png';
    return new File([blob], `${file.name.replace(/\.\w+$/, '')}.${ending}`, { type: blob.type });
  }
  return file;
}

/**
 * Sends a picture to the page for uploads.
 * @param onProgress called with the share of the bytes that were sent
 * @returns null if the server cannot be reached, or refuses without saying why
 */
export function sendPicture(path: string, file: File, onProgress: (share: number) => void): Promise<Uploaded | null> {
  const form = new FormData();
  form.set('file', file);
  // `fetch` does not tell how much was sent.
  const request = new XMLHttpRequest();
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  return new Promise((resolve) => {
    request.onloadend = () => resolve(request.status === 200 || request.status === 422 ? request.response : null);
    request.open('POST', path);
    request.send(form);
  });
}
