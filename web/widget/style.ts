/** The styles of the button and the panel. As a sheet of its own in a shadow tree, no policy of the site forbids it. */
export const style = `
:host { all: initial; --pen: light-dark(var(--light), var(--dark)); --on-pen: light-dark(#fff, #1a1712); font: 600 15px/20px system-ui, sans-serif }
:host > * { box-sizing: border-box }
button { font: inherit; cursor: pointer; border: 1px solid transparent }
button:focus-visible { outline: 3px solid var(--pen); outline-offset: 2px; box-shadow: 0 0 0 2px light-dark(#fff, #000) }
svg { inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.launch, dialog { position: fixed; inset-inline: auto 24px; z-index: 2147483000 }
:host(.start) :is(.launch, dialog) { inset-inline: 24px auto }
.launch { inset-block-end: 24px; display: flex; align-items: center; gap: 9px; max-inline-size: calc(100vw - 48px); min-block-size: 52px; padding-inline: 18px 20px; border-radius: 26px; background: var(--pen); color: var(--on-pen); box-shadow: 0 6px 24px rgb(0 0 0 / 24%) }
.badge { min-inline-size: 20px; padding-inline: 5px; box-sizing: border-box; border-radius: 10px; background: var(--on-pen); color: var(--pen); font-size: 12px; text-align: center }
.badge::after { content: attr(data-count) / '' }
[hidden] { display: none }
dialog { inset-block: auto 92px; inline-size: 380px; block-size: min(640px, 100dvh - 120px); max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 1px solid light-dark(#ddd8cf, #3a352e); border-radius: 20px; overflow: hidden; background: light-dark(#fbf9f5, #151310); box-shadow: 0 16px 56px rgb(0 0 0 / 28%) }
dialog.modal { inset: 0 !important; inline-size: min(720px, 100vw - 48px); block-size: min(860px, 100dvh - 48px); margin: auto }
dialog::backdrop { background: rgb(0 0 0 / 45%) }
.close { position: absolute; inset-block-start: 4px; inset-inline-end: 6px; z-index: 1; display: grid; place-items: center; inline-size: 44px; block-size: 44px; padding: 0; border-radius: 12px; background: none; color: light-dark(#4c463d, #c9c2b6) }
iframe { display: block; inline-size: 100%; block-size: 100%; border: 0 }
@media (max-width: 640px) {
  dialog, dialog.modal { inset: 0 !important; inline-size: 100%; block-size: 100dvh; margin: 0; border: 0; border-radius: 0 }
}
@media print { :host { display: none } }
`;
