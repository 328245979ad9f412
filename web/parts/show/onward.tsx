import { createContext, use } from 'react';

/** Where forms lead that finish with an idea; null where they stay with it. */
export const OnwardContext = createContext<string | null>(null);

/** In a form: leads on to the next idea in triage. */
export function Onward() {
  const next = use(OnwardContext);
  return next && <input type="hidden" name="next" value={next} />;
}
