import '../../styles/settings.css';
import '../../styles/webhooks.css';
import { type LoaderFunctionArgs, NavLink, Outlet, useLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { orErrorPage } from '../../lib/failure.ts';
import { useBoard, useLocale } from '../../lib/locale.ts';
import { requireSignedIn } from '../../lib/member.ts';
import { visitContext } from '../../lib/visit.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { account } = await requireSignedIn(args);
  const { features, db, openBoard } = args.context.get(visitContext);
  const { board } = await orErrorPage(openBoard(args.params.pid));
  const user = await features.findMember(db.read, board.id, account.id);
  return { isManager: user !== null && features.may(user, 'board.edit') };
}

/** The settings of a board and of one's account: a list of pages beside the page. */
export default function Settings() {
  const { isManager } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  const base = `/b/${board.pid}/settings`;
  const groups = [
    ...(isManager
      ? [
          {
            name: m.groupBoard(l),
            pages: { [base]: m.overview(l), [`${base}/general`]: m.general(l), [`${base}/members`]: m.members(l) },
          },
          { name: m.groupDevelopers(l), pages: { [`${base}/apis`]: m.apis(l), [`${base}/webhooks`]: m.webhooks(l) } },
          { name: m.groupData(l), pages: { [`${base}/export`]: m.exportTitle(l) } },
          { name: m.groupService(l), pages: { [`${base}/mail`]: m.mail(l), [`${base}/plan`]: m.plan(l) } },
        ]
      : []),
    { name: m.groupYou(l), pages: { [`${base}/account`]: m.account(l) } },
  ];
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label={m.settings(l)}>
        {groups.map(({ name, pages }) => (
          <div key={name}>
            <p className="settings-group">{name}</p>
            <ul className="settings-pages">
              {Object.entries(pages).map(([path, words]) => (
                <li key={path}>
                  <NavLink to={path} end={path === base}>
                    {words}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="main" className="settings-main">
        <Outlet />
      </main>
    </div>
  );
}
