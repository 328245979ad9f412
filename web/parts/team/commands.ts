/** What the palette offers: words to find it by, where it belongs, its key, and what it does. */
export type Command = { group: string; words: string; key: string | null; run: () => void };

/** What the elements of the page can do, so that there is no second list of it. */
export function collectCommands(groups: { idea: string; pages: string }): Command[] {
  const of = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const forms = of('main [popover]:not(.desk-bar *) form').filter((form) => form instanceof HTMLFormElement);
  const own = of('.bulk [popover]').flatMap((sheet) => (isShown(sheet.closest('.bulk')) ? choicesIn(sheet) : []));
  return unique([
    ...own.map(commandOf(document.querySelector('.bulk')?.ariaLabel ?? '')),
    ...of('main [aria-keyshortcuts]:not(li *, textarea)').map(commandOf(groups.idea)),
    ...forms.flatMap(choicesIn).map(commandOf(groups.idea)),
    ...of('.panel .tools :is(a, button:not([popovertarget]))').filter(isOnPage).map(commandOf(groups.idea)),
    ...of('.site-nav a, .triage-list nav a, .desk-views a, .site-actions a').map(commandOf(groups.pages)),
  ]);
}

/** In a form: what it chooses from, or else its buttons. */
function choicesIn(sheet: HTMLElement): HTMLElement[] {
  const first = sheet.querySelector<HTMLElement>('select, input[type=checkbox]');
  if (first instanceof HTMLSelectElement) return [...first.options];
  const kind = first ? 'input[type=checkbox]' : 'button[type=submit]';
  return [...sheet.querySelectorAll<HTMLElement>(kind)];
}

function commandOf(group: string): (element: HTMLElement) => Command {
  return (element) => ({ group, words: wordsOf(element), key: element.ariaKeyShortcuts, run: () => run(element) });
}

/** What an element is called, after what it belongs to. */
function wordsOf(element: HTMLElement): string {
  const own = (element instanceof HTMLInputElement ? element.labels?.[0] : element)?.textContent?.trim();
  const name = element.ariaLabel ?? own ?? '';
  const around = element instanceof HTMLOptionElement ? element.closest('select')?.labels[0] : null;
  const legend = element.closest('fieldset')?.querySelector('legend');
  const sheet = element.closest<HTMLElement>('[popover]')?.ariaLabel;
  const place = around?.textContent ?? legend?.textContent ?? sheet;
  return place && place !== name ? `${place}: ${name}` : name;
}

/** Does what an element is for: a choice of a form is made and sent. */
function run(element: HTMLElement): void {
  if (element instanceof HTMLOptionElement) {
    const select = element.closest('select');
    if (select) select.value = element.value;
    select?.form?.requestSubmit();
  } else {
    element.click();
    if (element instanceof HTMLInputElement) element.form?.requestSubmit();
  }
}

function isShown(element: Element | null): boolean {
  return element?.checkVisibility() ?? false;
}

function isOnPage(element: HTMLElement): boolean {
  return element.closest('[popover]') === null;
}

function unique(commands: readonly Command[]): Command[] {
  const known = new Set<string>();
  return commands.filter(({ group, words }) => {
    const isNew = words !== '' && !known.has(`${group} ${words}`);
    known.add(`${group} ${words}`);
    return isNew;
  });
}
