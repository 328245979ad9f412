/** The server's part of the pages, built by `scripts/build-web.ts`; package.json says where. */
declare module '#pages' {
  export const respond: import('./pages.ts').Respond;
}
