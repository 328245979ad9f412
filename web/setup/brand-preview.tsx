import './setup.css';
import type { CSSProperties } from 'react';
import type { Brand } from '#src/identity/board/brand.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';

/** The board's color in both themes, side by side, with its contrast. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const l = useLocale();
  const names = { light: m.themeLight(l), dark: m.themeDark(l) };
  return (
    <div className="previews">
      {(['light', 'dark'] as const).map((theme) => {
        const { accent, soft, contrast } = brand[theme];
        const style = { colorScheme: theme, '--pen': accent, '--pen-soft': soft } as CSSProperties;
        return (
          <figure key={theme} className="preview" style={style}>
            <figcaption className="small">{names[theme]}</figcaption>
            <div className="row">
              <span className="preview-vote">128</span>
              <span className="preview-link">{m.previewIdea(l)}</span>
            </div>
            <p className="small">
              {m.contrast(l, { ratio: contrast.toLocaleString(l, { maximumFractionDigits: 1 }) })}
            </p>
          </figure>
        );
      })}
    </div>
  );
}
