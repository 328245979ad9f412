import { filePath, findFilesOfComments, findFilesOfPosts, type ShownFile } from '#src/feedback/files/files.ts';
import { isRasterImage } from '#src/feedback/files/sniffing.ts';
import type { Visit } from '#src/pages/visit.ts';

/** A file as pages show it; `isImage` when browsers show it in place, `shape` is its width and height if they are known. */
export type FileView = {
  id: string;
  name: string;
  href: string;
  size: number;
  isImage: boolean;
  shape: readonly [number, number] | null;
};

/** Files as pages show them, by the post or comment they belong to. */
export type FilesOf = (ownerId: string) => FileView[];

/** The files of a post and of comments on it. */
export async function readFiles(
  { db }: Visit,
  boardId: string,
  postId: string,
  commentIds: readonly string[],
): Promise<FilesOf> {
  const ofPost = await findFilesOfPosts(db.read, { boardId, ids: [postId] });
  const ofComments = commentIds.length === 0 ? [] : await findFilesOfComments(db.read, { boardId, ids: commentIds });
  const views = Map.groupBy([...ofPost, ...ofComments], (file) => file.post_id ?? file.comment_id ?? '');
  return (ownerId) => (views.get(ownerId) ?? []).map(viewFile);
}

/** A file as pages show it. */
export function viewFile(file: ShownFile): FileView {
  return {
    id: file.id,
    name: file.name,
    size: file.size,
    href: filePath(file, file.is_public ? file.public_token : file.held_token),
    isImage: isRasterImage(file.content_type),
    shape: file.width && file.height ? [file.width, file.height] : null,
  };
}
