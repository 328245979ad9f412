import type { CSSProperties } from 'react';
import { formatBytes } from '../i18n/format.ts';
import type { FileView } from '../lib/files.ts';
import { useLocale } from '../lib/locale.ts';

/** The files of a post or comment: pictures to look at, the others to download. */
export function FileList({ files }: { files: readonly FileView[] }) {
  const l = useLocale();
  if (files.length === 0) return null;
  return (
    <ul className="files">
      {files.map(({ id, name, href, size, isImage, shape }) => (
        <li key={id} className={shape ? 'sized' : undefined} style={shape ? shapeOf(shape) : undefined}>
          <a href={href} className={isImage ? 'picture' : undefined} dir="auto">
            {isImage ? <img src={href} alt={name} loading="lazy" /> : name}
          </a>
          {!isImage && <span className="muted small">{formatBytes(l, size)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Keeps the place of a picture free until it is loaded, see `prose.css`. */
function shapeOf([width, height]: readonly [number, number]): CSSProperties {
  return { '--w': width, '--h': height } as CSSProperties;
}
