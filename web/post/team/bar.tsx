import type { ReactNode } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { PICKERS } from '../../parts/show/picker.tsx';
import { StatusChip } from '../../posts/status.tsx';
import type { PostPage } from '../page.ts';

/** On phones, where the panel is far below: what the team changes most, always at hand; `children` come first. */
export function TeamBar({ post, children }: { post: PostPage; children?: ReactNode }) {
  const l = useLocale();
  return (
    <div className="team-bar">
      {children}
      <button type="button" className="pick" popoverTarget={PICKERS.status}>
        {post.status && <StatusChip status={post.status} />}
        <Icon name="chevron-down" />
      </button>
      {post.allTags.length > 0 && (
        <button type="button" className="icon-button" popoverTarget={PICKERS.tags} aria-label={m.changeTags(l)}>
          <Icon name="tag" size={20} />
        </button>
      )}
      <a className="icon-button" href={`#${PICKERS.tools}`} aria-label={m.manage(l)}>
        <Icon name="ellipsis" size={20} />
      </a>
    </div>
  );
}
