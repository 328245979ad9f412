import '../../lib/closed-by.ts';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import type { FileView } from '../requests/files.ts';
import { useLocale } from '../requests/locale.ts';
import { Icon } from '../show/icon.tsx';
import styles from './picture-viewer.css?url';

type PictureViewerProps = {
  pictures: readonly FileView[];
  /** The place of the picture that is shown. */
  at: number;
  onMove: (at: number) => void;
  onClose: () => void;
};

/** A picture as large as the window, over the page. Arrow keys lead to the others of the same text, Escape back. */
export function PictureViewer({ pictures, at, onMove, onClose }: PictureViewerProps) {
  const prefix = usePrefix();
  const l = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const picture = pictures[at];
  const move = (step: number) => onMove((at + step + pictures.length) % pictures.length);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step) move(m.direction(l) === 'rtl' ? -step : step);
  };
  return (
    <dialog
      ref={dialog}
      className="picture-viewer"
      aria-label={picture?.name}
      closedby="any"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <link rel="stylesheet" href={prefix + styles} precedence="viewer" />
      {picture && <img key={picture.id} src={prefix + picture.href} alt={picture.name} />}
      <div className="row">
        {pictures.length > 1 && (
          <>
            <button type="button" className="icon-button" aria-label={m.previousPicture(l)} onClick={() => move(-1)}>
              <Icon name="arrow-left" size={20} flips />
            </button>
            <span role="status">{`${formatCount(l, at + 1)} / ${formatCount(l, pictures.length)}`}</span>
            <button type="button" className="icon-button" aria-label={m.nextPicture(l)} onClick={() => move(1)}>
              <Icon name="arrow-right" size={20} flips />
            </button>
          </>
        )}
        <button type="button" className="icon-button" aria-label={m.close(l)} onClick={() => dialog.current?.close()}>
          <Icon name="x" size={20} />
        </button>
      </div>
    </dialog>
  );
}
