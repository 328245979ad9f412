/** Media types of the images that can be uploaded for a board or a user. */
export const PICTURES = 'image/png,image/jpeg,image/gif,image/webp';

/** A form with a file has room for so many bytes, see `src/pages/form-limits.ts`. */
export const MAX_FILE_BYTES = 900_000;

/** The image of a form; an empty one if none was chosen. */
export async function readPicture(file: File | null) {
  return { name: file?.name ?? '', bytes: new Uint8Array((await file?.arrayBuffer()) ?? []) };
}
