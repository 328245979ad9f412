import { Remote } from '../../src/operations/imports/remote.ts';
import { makeTestSender } from './sender.ts';

/** Other servers, on this machine too, for imports that read files of theirs. */
export const testRemote = new Remote(makeTestSender());
