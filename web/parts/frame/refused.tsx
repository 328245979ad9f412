import { Form, Link } from 'react-router';
import * as m from '../../i18n/messages.ts';
import type { Frame } from '../requests/frame.ts';
import { useLocale } from '../requests/locale.ts';
import type { ClosedDoor } from '../requests/member.ts';
import { Icon } from '../show/icon.tsx';
import { pagesOf } from './header.tsx';
import { NoBoard } from './no-board.tsx';

type RefusedProps = { error: { status: number; data: unknown }; frame: Frame | null };

/** A page that does not exist, or that the visitor may not see: what has happened, and where else to go. */
export function Refused({ error, frame }: RefusedProps) {
  const l = useLocale();
  if (isClosedDoor(error.data)) return <NoBoard {...error.data} />;
  const [title, help] =
    error.status === 403 ? [m.forbiddenTitle(l), m.forbiddenHelp(l)] : [m.notFoundTitle(l), m.notFoundHelp(l)];
  return (
    <main id="main" className="page-narrow fault">
      <title>{frame ? `${title} · ${frame.board.name}` : title}</title>
      <h1>{title}</h1>
      <p className="muted">{help}</p>
      {frame ? (
        <Elsewhere frame={frame} />
      ) : (
        <p>
          <Link className="button" to="/">
            <Icon name="arrow-left" flips />
            {m.toTheBoard(l)}
          </Link>
        </p>
      )}
    </main>
  );
}

function isClosedDoor(data: unknown): data is ClosedDoor {
  return typeof data === 'object' && data !== null && 'signedInAs' in data;
}

/** A search of the board's ideas, and its pages. */
function Elsewhere({ frame: { board, visitor } }: { frame: Frame }) {
  const l = useLocale();
  return (
    <>
      <Form action={`/b/${board.pid}`} className="search-form">
        <Icon name="search" />
        <input
          type="search"
          name="q"
          className="search-box"
          aria-label={m.searchIdeas(l)}
          placeholder={m.searchIdeas(l)}
          maxLength={200}
        />
      </Form>
      <div className="row">
        {pagesOf(l, board, visitor).map(({ path, words, icon }) => (
          <Link key={path} className="button" to={path}>
            <Icon name={icon} />
            {words}
          </Link>
        ))}
      </div>
    </>
  );
}
