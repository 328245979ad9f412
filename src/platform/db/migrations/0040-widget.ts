export const name = '0040-widget';

/** The origins on whose pages the widget of a board may appear, separated by spaces. */
export function statements(): readonly string[] {
  return ["alter table boards add column widget_origins text not null default ''"];
}
