import './attach.css';
import { useEffect, useId, useRef, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { MAX_FILE_BYTES, PICTURES } from '../../lib/picture.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { GroupError } from '../forms/form.tsx';
import { useBoard, useLocale } from '../requests/locale.ts';
import { Icon } from '../show/icon.tsx';

/** A picture that was chosen: sent so far, kept by the server (`id`), or refused (`problem`). */
type Picture = { key: number; name: string; share: number; id?: string; href?: string; problem?: string };

/** Pictures that may be added to one text, as the features allow. */
const MAX_PICTURES = 10;

/**
 * Adds pictures to the form around it: chosen, pasted into it or dropped on it. Scripts send each of them at once, and the
 * form refers to them; without scripts one is sent with the form.
 */
export function Attach() {
  const l = useLocale();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { pictures, add, remove } = usePictures();
  const isSending = pictures.some((picture) => picture.id === undefined && picture.problem === undefined);
  useFilesOfForm(input, add);
  useEffect(() => {
    input.current?.setCustomValidity(isSending ? m.picturesAreSent(l) : '');
  }, [isSending, l]);
  return (
    <div className="attach">
      {pictures.length > 0 && (
        <ul className="attach-list">
          {pictures.map((picture) => (
            <AttachedPicture key={picture.key} picture={picture} onRemove={() => remove(picture.key)} />
          ))}
        </ul>
      )}
      <label className="attach-add" htmlFor={id}>
        <Icon name="image" />
        {m.addPictures(l)}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        name="file"
        accept={PICTURES}
        multiple
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {/* Scripts make pictures smaller. */}
      <noscript>
        <p className="help">{m.pictureSize(l)}</p>
      </noscript>
      <GroupError name="file" />
      <GroupError name="files" />
    </div>
  );
}

function AttachedPicture({ picture, onRemove }: { picture: Picture; onRemove: () => void }) {
  const prefix = usePrefix();
  const l = useLocale();
  const { id, name, share, href, problem } = picture;
  return (
    <li>
      {id !== undefined && <input type="hidden" name={`file:${id}`} value="on" />}
      {href !== undefined && <img src={prefix + href} alt={name} />}
      {problem !== undefined && (
        <p className="error" role="alert">
          {name}: {problem}
        </p>
      )}
      {id === undefined && problem === undefined && <progress value={share} aria-label={m.sending(l, { name })} />}
      <button type="button" className="icon-button" aria-label={m.removePicture(l, { name })} onClick={onRemove}>
        <Icon name="x" size={14} />
      </button>
    </li>
  );
}

/** The pictures that are being sent and those that were. */
function usePictures() {
  const prefix = usePrefix();
  const l = useLocale();
  const board = useBoard();
  const [pictures, setPictures] = useState<Picture[]>([]);
  const lastKey = useRef(0);
  const set = (key: number, change: Partial<Picture>) =>
    setPictures((all) => all.map((picture) => (picture.key === key ? { ...picture, ...change } : picture)));
  const send = async (key: number, file: File) => {
    const { fitPicture, sendPicture } = await import('../../lib/picture-upload.ts');
    const small = await fitPicture(file);
    if (small.size > MAX_FILE_BYTES) return set(key, { problem: m.fileTooLarge(l) });
    const answer = await sendPicture(`${prefix}/b/${board?.pid}/uploads`, small, (share) => set(key, { share }));
    if (answer === null) set(key, { problem: m.pictureNotSent(l) });
    else if ('message' in answer) set(key, { problem: answer.message });
    else set(key, answer);
  };
  const add = (files: File[]) => {
    const chosen = files.filter(({ type }) => PICTURES.includes(type) && type !== '');
    for (const file of chosen.slice(0, Math.max(0, MAX_PICTURES - pictures.length))) {
      const key = ++lastKey.current;
      setPictures((all) => [...all, { key, name: file.name, share: 0 }]);
      send(key, file);
    }
  };
  const remove = (key: number) => setPictures((all) => all.filter((picture) => picture.key !== key));
  return { pictures, add, remove };
}

/** Calls `add` with the files that are pasted into the form of a field, or dropped on it. */
function useFilesOfForm(field: { current: HTMLInputElement | null }, add: (files: File[]) => void): void {
  const latest = useRef(add);
  useEffect(() => {
    latest.current = add;
  });
  useEffect(() => {
    const form = field.current?.form;
    const take = (event: ClipboardEvent | DragEvent) => {
      const files = [...((event instanceof DragEvent ? event.dataTransfer : event.clipboardData)?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    // Without this, a dropped file would replace the page.
    const allow = (event: DragEvent) => event.preventDefault();
    form?.addEventListener('paste', take);
    form?.addEventListener('drop', take);
    form?.addEventListener('dragover', allow);
    return () => {
      form?.removeEventListener('paste', take);
      form?.removeEventListener('drop', take);
      form?.removeEventListener('dragover', allow);
    };
  }, [field]);
}
