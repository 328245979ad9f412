import './setup.css';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
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
  '#b45309': m.colorOrange,
  '#c02b2b': m.colorRed,
  '#b8246e': m.colorPink,
  '#7440c9': m.colorPurple,
  '#3f3f46': m.colorGraphite,
} as const;

/**
 * The color of a board: one of eight, or any other, with what it looks like. Without scripts the field for any color counts,
 * and the swatches are not shown.
 */
export function BrandColor({ color }: { color: string }) {
  const l = useLocale();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(color);
  const [isLive, setIsLive] = useState(false);
  useEffect(() => setIsLive(true), []);
  const choose = (swatch: string) => {
    if (!field.current) return;
    field.current.value = swatch;
    // As if it was typed, for what looks whether a form has changed.
    field.current.dispatchEvent(new Event('input', { bubbles: true }));
    setChosen(swatch);
  };
  return (
    <>
      {isLive && (
        <fieldset className="swatches">
          <legend>{m.brandColor(l)}</legend>
          {Object.entries(SWATCHES).map(([swatch, name]) => (
            <button
              key={swatch}
              type="button"
              className="swatch"
              style={{ '--swatch': swatch } as CSSProperties}
              aria-pressed={swatch === chosen.toLowerCase()}
              aria-label={name(l)}
              title={name(l)}
              onClick={() => choose(swatch)}
            />
          ))}
        </fieldset>
      )}
      <TextField
        key={color}
        ref={field}
        name="color"
        type="color"
        label={isLive ? m.ownColor(l) : m.brandColor(l)}
        help={m.brandColorHelp(l)}
        defaultValue={color}
        onChange={(event) => setChosen(event.target.value)}
      />
      <BrandPreview brand={makeBrand(chosen)} />
    </>
  );
}
