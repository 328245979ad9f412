import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideSecrets } from './receiver-text.ts';

test('a secret of Standard Webhooks is hidden without its prefix too, in every way in which it is written', () => {
  const base64 = 'MfKQ9r8/KYqrTwjUPD8I+PZIo2LaLaSwAAAAAAAAAAA=';
  const secret = `whsec_${base64}`;
  const ways = [
    (text: string) => text,
    encodeURIComponent,
    (text: string) => new URLSearchParams({ text }).toString().slice('text='.length),
    JSON.stringify,
    (text: string) => text.replaceAll('/', '\\/'),
  ];
  for (const write of ways) {
    for (const text of [secret, base64]) {
      const shown = hideSecrets(`<${write(text)}>`, [secret]);
      assert.match(shown, /^<"?•••"?>$/, write(text));
    }
  }
});
