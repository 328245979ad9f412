/** What the widget learns of a board from its server: `web/embed/widget-config.ts` writes it. */
export type WidgetConfig = {
  /** The board's name in addresses; null if the address of the widget leads to no board. */
  pid: string | null;
  language: string;
  direction: string;
  /** The board's color in each theme. */
  colors: { light: string; dark: string };
  /** When the newest changelog entries were published, the latest first. */
  news: readonly number[];
  texts: {
    button: string;
    /** What screen readers call the panel. */
    dialog: string;
    close: string;
    /** Instead of a panel that does not answer, and the link to the board below it. */
    silent: string;
    board: string;
    /** For one new entry, for two, and so on. */
    news: readonly string[];
  };
};
