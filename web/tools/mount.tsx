import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a tool on the page that the server sent for it. */
export function mount(tool: ReactNode): void {
  const place = document.getElementById('tool');
  if (place) createRoot(place).render(<StrictMode>{tool}</StrictMode>);
}
