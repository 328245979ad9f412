/** HTML that the server has made of Markdown, with everything dangerous left out. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see src/platform/lib/markdown.ts
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
