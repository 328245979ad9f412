import { Link } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { CopyText } from '../../parts/team/copy.tsx';

/** What to do with a board that was just set up: give its link to others, invite the team, put it into one's own site. */
export function Ready({ url }: { url: string }) {
  const board = useBoard();
  const l = useLocale();
  const settings = `/b/${board?.pid}/settings`;
  return (
    <section className="card stack" aria-labelledby="ready">
      <h2 id="ready">{m.readyToShare(l)}</h2>
      <CopyText text={url} label={m.readyToShareHelp(l)} />
      <p className="row">
        <Link className="button" data-kind="plain" to={`${settings}/members`}>
          {m.invite(l)}
        </Link>
        <Link className="button" data-kind="plain" to={`${settings}/widget`}>
          {m.readyWidget(l)}
        </Link>
        <Link className="button" data-kind="plain" to={`${settings}/notifications`}>
          {m.readyNotifications(l)}
        </Link>
      </p>
    </section>
  );
}
