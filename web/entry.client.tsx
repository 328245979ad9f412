import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { loadTexts } from './i18n/texts.ts';
import { tabStorage } from './lib/browser-storage.ts';
import { noteEarlyText } from './lib/early-text.ts';
import { browserPrefix, PrefixContext } from './lib/prefix.ts';

noteEarlyText();
// The page names the texts that it was written with.
const names = [...document.querySelectorAll<HTMLLinkElement>('link[data-texts]')].map(
  (link) => link.dataset.texts ?? '',
);
await Promise.all(names.map(loadTexts));
const prefix = browserPrefix();
if (location.pathname.startsWith(`${prefix}/embed/`)) (await import('./embed/jar.ts')).keepJar(tabStorage, prefix);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <PrefixContext value={prefix}>
        <HydratedRouter />
      </PrefixContext>
    </StrictMode>,
  );
});
