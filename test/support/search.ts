import { indexBoards } from '../../src/feedback/search/indexer.ts';
import { type TestApp, testBoth } from './app.ts';

/** An app whose posts are added to segments of the index when a test says so, or stay pending. */
export type SearchApp = TestApp & { index(): Promise<void> };

/** A test of what is found, which is to be the same for posts that are pending and for those in segments. */
export function testSearch(name: string, work: (app: SearchApp) => Promise<void>): void {
  testBoth(`${name}: pending`, (app) => work({ ...app, index: async () => {} }));
  testBoth(`${name}: in segments`, (app) => work({ ...app, index: () => indexBoards(app, { least: 1 }) }));
}
