import { lazy } from 'react';

const load = () => import('./team/tools.tsx');
/** The server renders without waiting, so it has them from the start. */
const parts = import.meta.env.SSR ? await load() : null;

/** What only the team and authors need on the page of a post, which other visitors do not load. */
export const StatusPicker = parts?.StatusPicker ?? lazy(async () => ({ default: (await load()).StatusPicker }));
export const TagsPicker = parts?.TagsPicker ?? lazy(async () => ({ default: (await load()).TagsPicker }));
export const AssigneePicker = parts?.AssigneePicker ?? lazy(async () => ({ default: (await load()).AssigneePicker }));
export const PostTools = parts?.PostTools ?? lazy(async () => ({ default: (await load()).PostTools }));
export const TeamWrite = parts?.TeamWrite ?? lazy(async () => ({ default: (await load()).TeamWrite }));
export const TeamBar = parts?.TeamBar ?? lazy(async () => ({ default: (await load()).TeamBar }));
export const Issues = parts?.Issues ?? lazy(async () => ({ default: (await load()).Issues }));
export const OpenBy = parts?.OpenBy ?? lazy(async () => ({ default: (await load()).OpenBy }));
