import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useParams, useRouteLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import type { viewRoot } from '../parts/requests/root-view.ts';
import { Icon } from '../parts/show/icon.tsx';
import { withQuery } from '../posts/team/query.ts';
import { BULK, BulkBar } from './bulk.tsx';
import { TriageItem } from './item.tsx';
import type { TriagePage } from './triage.ts';

type TriageListProps = { page: TriagePage; home: string; filter: URLSearchParams; answer: FormAnswer | undefined };

/** The ideas of a list, and what can be done with the chosen ones. */
export function TriageList({ page, home, filter, answer }: TriageListProps) {
  const l = useLocale();
  const { number } = useParams();
  const list = useRef<HTMLOListElement>(null);
  const last = useRef<HTMLInputElement>(null);
  const [count, setCount] = useState(0);
  const changed = useChanged(() => {
    document.querySelector<HTMLFormElement>(`#${BULK}`)?.reset();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another idea is open.
  useEffect(() => {
    list.current?.querySelector('[data-open]')?.scrollIntoView({ block: 'nearest' });
  }, [number]);
  const countChosen = () => setCount(list.current?.querySelectorAll('input:checked').length ?? 0);
  const onClick = (event: MouseEvent<HTMLOListElement>) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    if (event.shiftKey) chooseBetween(list.current, last.current, event.target);
    last.current = event.target;
    countChosen();
  };
  return (
    <>
      <p role="status" className="triage-changed">
        {changed > 0 && m.triageChanged(l, { count: changed })}
      </p>
      {page.posts.length === 0 && (
        <div className="empty">
          <Icon name="check" />
          <strong>{m.triageEmpty(l)}</strong>
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the boxes, too. */}
      <ol ref={list} onClick={onClick}>
        {page.posts.map((post) => (
          <TriageItem
            key={post.id}
            post={post}
            path={withQuery(`${home}/${post.number}`, filter)}
            isOpen={number === String(post.number)}
          />
        ))}
      </ol>
      <BulkBar page={page} count={count} home={home} answer={answer} onClear={() => setCount(0)} />
    </>
  );
}

/** How many ideas have just been changed, as the address says when there is a toast. */
function useChanged(onChanged: () => void): number {
  const { search, key } = useLocation();
  const toast = useRouteLoaderData<typeof viewRoot>('root')?.toast;
  const count = Number(new URLSearchParams(search).get('changed'));
  const changed = toast && Number.isSafeInteger(count) && count > 0 ? count : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page on which something was changed.
  useEffect(() => {
    if (changed > 0) onChanged();
  }, [key, changed]);
  return changed;
}

/** Chooses all ideas between two boxes, or none of them, as the second one is. */
function chooseBetween(list: HTMLElement | null, from: HTMLInputElement | null, to: HTMLInputElement): void {
  const boxes = [...(list?.querySelectorAll<HTMLInputElement>('input[name=post]') ?? [])];
  const [first = -1, end = -1] = [from ? boxes.indexOf(from) : -1, boxes.indexOf(to)].sort((a, b) => a - b);
  if (first < 0) return;
  for (const box of boxes.slice(first, end + 1)) box.checked = to.checked;
}
