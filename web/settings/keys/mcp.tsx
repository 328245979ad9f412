import { Link, useLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberLoader } from '../../parts/requests/member.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { CodeBlock } from '../../parts/team/code.tsx';
import { CopyText } from '../../parts/team/copy.tsx';

export const loader = memberLoader('key.manage', ({ visit, context }) => ({
  url: `${visit.baseUrl}/api/v1/mcp`,
  name: context.board.pid,
}));

/** What stands for the key in the texts to copy. */
const KEY = 'esk_…';

/** How agents are connected to the board. */
export default function Mcp() {
  const { url, name } = useLoaderData<typeof loader>();
  const l = useLocale();
  const server = { url, headers: { Authorization: `Bearer ${KEY}` } };
  const claude = `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${KEY}"`;
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.mcp(l)}</PageTitle>
        <p className="muted">{m.mcpHelp(l)}</p>
        <CopyText text={url} label={m.mcpUrl(l)} />
      </div>
      <section className="stack" aria-labelledby="web">
        <h2 id="web">{m.mcpWeb(l)}</h2>
        <p className="muted">{m.mcpWebHelp(l)}</p>
        <CodeBlock text={`claude mcp add --transport http ${name} ${url}`} label="Claude Code" />
      </section>
      <section className="stack" aria-labelledby="key">
        <h2 id="key">{m.key(l)}</h2>
        <p className="muted">{m.mcpKeyHelp(l)}</p>
        <p>
          <Link className="button" data-kind="primary" to="../apis/new" relative="path">
            {m.createKey(l)}
          </Link>
        </p>
      </section>
      <section className="stack" aria-labelledby="clients">
        <h2 id="clients">{m.mcpClients(l)}</h2>
        <p className="muted">{m.mcpClientsHelp(l, { key: `\u2066${KEY}\u2069` })}</p>
        <CodeBlock text={claude} label="Claude Code" />
        <CodeBlock text={print({ mcpServers: { [name]: server } })} label="Cursor: ~/.cursor/mcp.json" />
        <CodeBlock
          text={print({ servers: { [name]: { type: 'http', ...server } } })}
          label="VS Code: .vscode/mcp.json"
        />
      </section>
    </div>
  );
}

function print(configuration: object): string {
  return JSON.stringify(configuration, null, 2);
}
