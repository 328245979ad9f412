/** The styles of the button and the panel. As a sheet of its own in a shadow tree, no policy of the site forbids it. */
export const style = `
:host { all: initial; display: contents; --pen: light-dark(var(--light), var(--dark)); --on-pen: light-dark(#fff, #1a1712); --ink: light-dark(#4c463d, #c9c2b6); font: 600 15px/20px system-ui, sans-serif }
@supports (color: oklch(from red l c h)) {
  /* Any color that a site chooses has words on it that can be read. */
  :host { --on-pen: oklch(from var(--pen) clamp(.2, (.62 - l) * 1000, 1) .01 h) }
}
:host > * { box-sizing: border-box }
button { font: inherit; cursor: pointer; border: 1px solid transparent }
button:focus-visible { outline: 3px solid var(--pen); outline-offset: 2px; box-shadow: 0 0 0 2px light-dark(#fff, #000) }
svg { flex: none; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.launch, dialog { position: fixed; inset-inline: auto 24px; z-index: 2147483000 }
:host(.start) :is(.launch, dialog) { inset-inline: 24px auto }
.launch { inset-block-end: max(24px, env(safe-area-inset-bottom)); display: flex; align-items: center; gap: 9px; max-inline-size: min(380px, 100vw - 48px); min-block-size: 52px; padding-block: 6px; padding-inline: 18px 20px; border-radius: 26px; background: var(--pen); color: var(--on-pen); box-shadow: 0 6px 24px rgb(0 0 0 / 24%) }
.launch:hover { filter: brightness(1.08) }
.launch > span:first-of-type { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; text-align: start }
.badge { flex: none; min-inline-size: 20px; padding-inline: 5px; box-sizing: border-box; border-radius: 10px; background: var(--on-pen); color: var(--pen); font-size: 12px; text-align: center }
.badge::after { content: attr(data-count) / '' }
[hidden] { display: none !important }
dialog { inset-block: auto 92px; inline-size: 380px; block-size: min(640px, 100dvh - 120px); max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 1px solid light-dark(#ddd8cf, #3a352e); border-radius: 20px; overflow: hidden; background: light-dark(#fbf9f5, #151310); color: var(--ink); box-shadow: 0 16px 56px rgb(0 0 0 / 28%) }
dialog.modal { inset: 0 !important; inline-size: min(720px, 100vw - 48px); block-size: min(860px, 100dvh - 48px); margin: auto }
dialog::backdrop { background: rgb(0 0 0 / 45%) }
.close { position: absolute; inset-block-start: 6px; inset-inline-end: 10px; z-index: 1; display: grid; place-items: center; inline-size: 44px; block-size: 44px; padding: 0; border-radius: 12px; background: none; color: var(--ink) }
.close:hover { color: light-dark(#000, #fff) }
.close:focus-visible { outline-width: 2px; outline-offset: -6px; box-shadow: none }
iframe { position: relative; display: block; inline-size: 100%; block-size: 100%; border: 0 }
.wait { position: absolute; inset: 0; inline-size: 24px; block-size: 24px; margin: auto; border: 2px solid light-dark(#ddd8cf, #3a352e); border-block-start-color: var(--pen); border-radius: 50%; animation: turn .8s linear infinite, show 0s .3s backwards }
.silence { position: absolute; inset: 0; display: grid; place-content: center; gap: 12px; padding: 32px; font-weight: 400; text-align: center }
.silence > p { margin: 0 }
.silence > a { color: var(--pen); font-weight: 600 }
@keyframes turn { to { rotate: 1turn } }
@keyframes show { from { opacity: 0 } }
@media (max-width: 640px) {
  dialog, dialog.modal { inset: 0 !important; inline-size: 100%; block-size: 100dvh; margin: 0; padding-block: env(safe-area-inset-top) env(safe-area-inset-bottom); border: 0; border-radius: 0 }
  .close { inset-block-start: calc(6px + env(safe-area-inset-top)) }
}
@media (prefers-reduced-motion: reduce) { .wait { animation: none } }
@media print { :host { display: none } }
`;
