import { siteStorage } from '../lib/browser-storage.ts';
import type { WidgetConfig } from './config.ts';
import { element, icon } from './elements.ts';
import { Frame } from './frame.ts';
import { style } from './style.ts';

/** How a site wants the widget. */
export type Look = {
  /** On which side of the page the button is. */
  position?: 'start' | 'end';
  theme?: 'light' | 'dark' | 'auto';
  language?: string;
  /** The words on the button. */
  label?: string;
  /** The color of the button, instead of the board's. */
  color?: string;
};

/** A panel to open: at which page below the board, over the whole site or not, and what gets the focus afterwards. */
type Opening = { page?: string | undefined; isModal?: boolean; opener: Element | null };

type Deps = { base: string; config: WidgetConfig; pid: string; look: Look; emit(event: string): void };

const CHAT = 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z';
const CROSS = 'M18 6 6 18M6 6l12 12';
const PHONE = '(max-width: 640px)';
/** How often a panel comes back by itself: a site may insist on removing it. */
const MAX_RETURNS = 100;
/** The newest changelog entry that this browser has shown, by board. */
const SEEN = 'earshot.seen.';

/** The panel of a board with its frame, and a button for it if the site wants one. */
export class Panel {
  readonly frame: Frame;
  readonly #deps: Deps;
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #dialog: HTMLDialogElement;
  readonly #button: HTMLButtonElement;
  readonly #silence: HTMLElement;
  readonly #badge = element('span', { class: 'badge', 'aria-hidden': 'true' });
  readonly #observer = new MutationObserver(() => this.#return());
  #opener: Element | null = null;
  #returns = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { config, look } = deps;
    this.#host = element('earshot-widget', {
      lang: config.language,
      dir: config.direction,
      class: look.position ?? 'end',
    });
    const { style: own } = this.#host;
    own.setProperty('--light', look.color ?? config.colors.light);
    own.setProperty('--dark', look.color ?? config.colors.dark);
    own.colorScheme = look.theme === 'light' || look.theme === 'dark' ? look.theme : 'light dark';
    this.#root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    const close = element('button', { type: 'button', class: 'close', 'aria-label': config.texts.close }, icon(CROSS));
    this.frame = new Frame(deps, {
      close: () => this.close(),
      seen: () => this.#markSeen(),
      news: () => this.#countNews(),
      isSilent: (is) => this.#showSilence(is),
    });
    this.#silence = this.#makeSilence();
    const wait = element('span', { class: 'wait' });
    // A frame that is not used yet is loaded as well, with nothing.
    this.frame.element.addEventListener('load', () => this.frame.element.src && wait.remove());
    const content = [close, wait, this.#silence, this.frame.element];
    this.#dialog = element('dialog', { 'aria-label': config.texts.dialog }, ...content);
    this.#button = this.#makeButton(look.label ?? config.texts.button);
    this.#root.append(this.#dialog);
    close.onclick = () => this.close();
    this.#dialog.onclose = () => this.#afterClose();
    this.#dialog.onclick = ({ target }) => target === this.#dialog && this.close();
    // A dialog that is not modal leaves this key to the site.
    this.#dialog.onkeydown = ({ key }) => key === 'Escape' && this.close();
    this.attach();
  }

  /** Puts the panel into the page, or back into it: beside the body, because many sites replace that. */
  attach(): void {
    if (this.#host.isConnected) return;
    const { documentElement } = document;
    documentElement.append(this.#host);
    for (const place of [document, documentElement]) this.#observer.observe(place, { childList: true });
  }

  /** Not at once: what has removed the panel may be an observer, too. */
  #return(): void {
    if (!this.#host.isConnected && this.#returns++ < MAX_RETURNS) setTimeout(() => this.attach());
  }

  /** Shows the button by which visitors open and close the panel, or hides it. */
  showButton(isShown: boolean): void {
    this.#button.remove();
    if (!isShown) return;
    this.#showNews();
    this.#root.prepend(this.#button);
  }

  open({ page, isModal = false, opener }: Opening): void {
    this.attach();
    this.frame.show(page);
    if (this.#dialog.open) return;
    this.#opener = opener;
    this.#dialog.classList.toggle('modal', isModal);
    if (isModal || matchMedia(PHONE).matches) this.#dialog.showModal();
    else this.#dialog.show();
    this.#button.ariaExpanded = 'true';
    this.#deps.emit('open');
  }

  close(): void {
    this.#dialog.close();
  }

  toggle(): void {
    if (this.#dialog.open) this.close();
    else this.open({ opener: this.#button });
  }

  #afterClose(): void {
    this.#button.ariaExpanded = 'false';
    if (this.#opener instanceof HTMLElement) this.#opener.focus();
    this.#deps.emit('close');
  }

  #makeButton(label: string): HTMLButtonElement {
    const attributes = { type: 'button', class: 'launch', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' };
    const words = element('span', {}, label);
    const button = element('button', attributes, icon(CHAT), words, this.#badge);
    button.onclick = () => this.toggle();
    return button;
  }

  /** The way to the board for when its pages may not be shown here, or do not arrive. */
  #makeSilence(): HTMLElement {
    const { base, pid, config } = this.#deps;
    const link = element('a', { href: `${base}/b/${pid}`, target: '_blank', rel: 'noopener' }, config.texts.board);
    return element('div', { class: 'silence', hidden: '' }, element('p', {}, config.texts.silent), link);
  }

  #showSilence(isSilent: boolean): void {
    this.#silence.hidden = !isSilent;
    this.frame.element.hidden = isSilent;
  }

  /** How many entries of the changelog are newer than what this browser has shown. */
  #countNews(): number {
    const seen = Number(siteStorage.get(SEEN + this.#deps.pid));
    return this.#deps.config.news.filter((date) => date > seen).length;
  }

  #showNews(): void {
    const { texts } = this.#deps.config;
    const count = this.#countNews();
    this.#badge.hidden = count === 0;
    this.#badge.dataset.count = String(count);
    const label = this.#deps.look.label ?? texts.button;
    this.#button.ariaLabel = count === 0 ? label : `${label}, ${texts.news[count - 1] ?? count}`;
  }

  #markSeen(): void {
    const { config, pid } = this.#deps;
    siteStorage.set(SEEN + pid, String(config.news[0] ?? 0));
    this.#showNews();
  }
}
