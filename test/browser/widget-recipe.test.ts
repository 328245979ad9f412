import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { setBoard } from '../../src/identity/board/board.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { openHost, openSso, visitHost } from './widget-support.ts';

const browser = await launchBrowser(['--test-third-party-cookie-phaseout']);
const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = readFileSync(`${root}docs/widget.md`, 'utf8');

/** Builds a script from modules that are given by name; the others are those of npm. */
async function bundle(modules: Record<string, string>): Promise<string> {
  const given = {
    name: 'given',
    resolveId: (source: string) => (source in modules ? `${root}${source}` : null),
    load: (id: string) => modules[id.slice(root.length)] ?? null,
  };
  const build = await rolldown({
    cwd: root,
    input: 'main.jsx',
    plugins: [given],
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  const { output } = await build.generate({ format: 'iife' });
  return output[0].code;
}

test('the component for React in the documentation shows and hides the button, and signs its user in and out', async (t) => {
  const site = await openSite(t, browser);
  const host = await openHost(t, site.origin);
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { widget_origins: host.origin }));
  const jwt = (await openSso(site))({ id: 7, name: 'Vera Visitor' });
  const component = /\*\*React\*\*.*?```jsx\n(.*?)```/s.exec(docs)?.[1] ?? '';
  const main = `import { StrictMode, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Feedback } from 'feedback.jsx';
    function App() {
      const [isShown, show] = useState(true);
      const [jwt, setJwt] = useState('${jwt}');
      return <>
        <button onClick={() => show(!isShown)}>Toggle</button>
        <button onClick={() => setJwt(null)}>Sign out</button>
        {isShown && <Feedback jwt={jwt} />}
      </>;
    }
    addEventListener('DOMContentLoaded', () => createRoot(document.querySelector('main')).render(<StrictMode><App /></StrictMode>));`;
  const modules = {
    'main.jsx': main,
    'feedback.jsx': component.replace('https://feedback.example.com', site.origin),
  };
  host.pages.set('/', { script: await bundle(modules) });
  const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
  const button = page.getByRole('button', { name: 'Feedback', exact: true });
  await button.click();
  await panel.getByRole('contentinfo').getByText('Vera Visitor').waitFor();
  await button.click();
  await page.getByRole('button', { name: 'Toggle' }).click();
  await button.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Toggle' }).click();
  await button.click();
  await panel.getByRole('contentinfo').getByText('Vera Visitor').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await panel.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal(await button.count(), 1);
  assert.deepEqual(wrong, []);
});
