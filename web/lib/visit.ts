import { createContext } from 'react-router';
import type { Visit } from '#src/pages/visit.ts';

/** What the server lends to the loaders and actions of a request. */
export const visitContext = createContext<Visit>();
