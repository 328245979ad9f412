import { formatBytes } from '../i18n/format.ts';
import { useLocale } from '../lib/locale.ts';

/** A file as pages show it; `isImage` when browsers show it in place. */
export type FileView = { id: string; name: string; href: string; size: number; isImage: boolean };

/** The files of a post or comment: pictures to look at, the others to download. */
export function FileList({ files }: { files: readonly FileView[] }) {
  const l = useLocale();
  if (files.length === 0) return null;
  return (
    <ul className="files">
      {files.map(({ id, name, href, size, isImage }) => (
        <li key={id}>
          <a href={href} className={isImage ? 'picture' : undefined} dir="auto">
            {isImage ? <img src={href} alt={name} loading="lazy" /> : name}
          </a>
          {!isImage && <span className="muted small">{formatBytes(l, size)}</span>}
        </li>
      ))}
    </ul>
  );
}
