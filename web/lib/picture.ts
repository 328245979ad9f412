/** Media types of the images that can be uploaded for a board or a user. */
export const PICTURES = 'image/png,image/jpeg,image/gif,image/webp';

/** The image of a form; an empty one if none was chosen. */
export async function readPicture(file: File | null) {
  return { name: file?.name ?? '', bytes: new Uint8Array((await file?.arrayBuffer()) ?? []) };
}
