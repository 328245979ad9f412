import { useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

type Palette = { base: 'vs' | 'vs-dark'; surface: string; accent: string; soft: string; text: string; quiet: string };

const palettes: Record<string, Palette> = {
  'graphiql-LIGHT': {
    base: 'vs',
    surface: '#fffefd',
    accent: '#2d48c0',
    soft: '#edf3ff',
    text: '#231d18',
    quiet: '#615b55',
  },
  'graphiql-DARK': {
    base: 'vs-dark',
    surface: '#1e1b18',
    accent: '#91aefd',
    soft: '#1e263b',
    text: '#edeae5',
    quiet: '#a7a29c',
  },
};

/** Gives the editors the colors of the pages, under the names by which GraphiQL switches them. */
export function useEditorTheme(): void {
  const monaco = useMonaco((state) => state.monaco);
  useEffect(() => {
    for (const [name, { base, surface, accent, soft, text, quiet }] of Object.entries(palettes)) {
      monaco?.editor.defineTheme(name, {
        base,
        inherit: true,
        rules: [
          { token: 'argument.identifier.gql', foreground: accent.slice(1) },
          { token: 'comment', foreground: quiet.slice(1) },
        ],
        colors: {
          'editor.background': '#ffffff00',
          'editor.foreground': text,
          'editorLineNumber.foreground': quiet,
          'editorHoverWidget.background': surface,
          'editorSuggestWidget.background': surface,
          'editorSuggestWidget.selectedBackground': soft,
          'editorSuggestWidget.selectedForeground': text,
          'editorWidget.background': surface,
          'quickInput.background': surface,
          'menu.background': surface,
          'menu.selectionBackground': soft,
          'menu.selectionForeground': text,
          'list.hoverBackground': soft,
          'textLink.foreground': accent,
          'editorLink.activeForeground': accent,
          focusBorder: accent,
          'scrollbar.shadow': '#ffffff00',
        },
      });
    }
  }, [monaco]);
}
