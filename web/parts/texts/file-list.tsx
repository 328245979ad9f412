import { type CSSProperties, type MouseEvent, startTransition, useState } from 'react';
import { formatBytes } from '../../i18n/format.ts';
import { usePrefix } from '../../lib/prefix.ts';
import type { FileView } from '../requests/files.ts';
import { useLocale } from '../requests/locale.ts';

/** The files of a post or comment: pictures, which scripts show large over the page, and others to download. */
export function FileList({ files }: { files: readonly FileView[] }) {
  const prefix = usePrefix();
  const l = useLocale();
  const [viewer, setViewer] = useState<typeof import('./picture-viewer.tsx')>();
  const [at, setAt] = useState<number | null>(null);
  if (files.length === 0) return null;
  const pictures = files.filter(({ isImage }) => isImage);
  const open = (event: MouseEvent<HTMLAnchorElement>, file: FileView) => {
    // With one of these keys, browsers open it elsewhere.
    if (!file.isImage || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // Where the focus returns to; not every browser focuses what is clicked.
    event.currentTarget.focus();
    setAt(pictures.indexOf(file));
    // In a transition it appears with its styles.
    import('./picture-viewer.tsx').then(
      (loaded) => startTransition(() => setViewer(loaded)),
      () => window.location.assign(prefix + file.href),
    );
  };
  return (
    <>
      <ul className="files">
        {files.map((file) => (
          <li
            key={file.id}
            className={file.shape ? 'sized' : undefined}
            style={file.shape ? shapeOf(file.shape) : undefined}
          >
            <a
              href={prefix + file.href}
              className={file.isImage ? 'picture' : undefined}
              dir="auto"
              onClick={(event) => open(event, file)}
            >
              {file.isImage ? <img src={prefix + file.href} alt={file.name} loading="lazy" /> : file.name}
            </a>
            {!file.isImage && <span className="muted small">{formatBytes(l, file.size)}</span>}
          </li>
        ))}
      </ul>
      {viewer && at !== null && (
        <viewer.PictureViewer pictures={pictures} at={at} onMove={setAt} onClose={() => setAt(null)} />
      )}
    </>
  );
}

/** Keeps the place of a picture free until it is loaded, see `prose.css`. */
function shapeOf([width, height]: readonly [number, number]): CSSProperties {
  return { '--w': width, '--h': height } as CSSProperties;
}
