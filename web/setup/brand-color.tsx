import './setup.css';
import { type CSSProperties, useRef, useState } from 'react';
import { makeBrand } from '#src/identity/board/brand.ts';
import * as m from '../i18n/messages.ts';
import { TextField } from '../parts/forms/form.tsx';
import { useLocale } from '../parts/requests/locale.ts';
import { BrandPreview } from './brand-preview.tsx';

/** The colors to choose from, with their names: dark enough to be recognized on buttons, and unlike each other. */
const SWATCHES = {
  '#2d48c0': m.colorBlue,
  '#0b7285': m.colorTeal,
  '#2b7a33': m.colorGreen,
  '#b25105': m.colorOrange,
  '#c02b2b': m.colorRed,
  '#b8246e': m.colorPink,
  '#7440c9': m.colorPurple,
  '#3f3f46': m.colorGraphite,
} as const;

/**
 * The color of a board: one of eight, or any other, with what it looks like. The field for any color counts once it is
 * changed, see `chosenColor`: without scripts a swatch cannot fill it in.
 */
export function BrandColor({ color }: { color: string }) {
  const l = useLocale();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(color);
  const choose = (swatch: string) => {
    if (field.current) field.current.value = swatch;
    setChosen(swatch);
  };
  return (
    <>
      <fieldset className="swatches">
        <legend>{m.brandColor(l)}</legend>
        {Object.entries(SWATCHES).map(([swatch, name]) => (
          <input
            key={swatch}
            type="radio"
            name="swatch"
            value={swatch}
            className="swatch"
            style={{ '--swatch': swatch } as CSSProperties}
            aria-label={name(l)}
            title={name(l)}
            checked={swatch === chosen.toLowerCase()}
            onChange={() => choose(swatch)}
          />
        ))}
      </fieldset>
      <TextField
        ref={field}
        name="color"
        type="color"
        label={m.ownColor(l)}
        help={m.brandColorHelp(l)}
        defaultValue={color}
        onChange={(event) => setChosen(event.target.value)}
      />
      <BrandPreview brand={makeBrand(chosen)} />
    </>
  );
}

/** The color that a form with `BrandColor` chose on a board with the color `before`. */
export function chosenColor({ color = '', swatch }: Record<string, string>, before: string): string {
  return swatch !== undefined && color === before.toLowerCase() ? swatch : color;
}
