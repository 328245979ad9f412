import './prose.css';
import { reachScrollers } from './scrollers.ts';

/** HTML that the server has rendered from Markdown, without anything dangerous. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see src/platform/texts/markdown.ts
  return <div ref={reachScrollers} className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
