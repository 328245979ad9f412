import { lazy } from 'react';

const load = () => import('./team-tools.tsx');

/** What only the team and authors need on the page of a post, which other visitors do not load. */
export const StatusPicker = lazy(async () => ({ default: (await load()).StatusPicker }));
export const TagsPicker = lazy(async () => ({ default: (await load()).TagsPicker }));
export const AssigneePicker = lazy(async () => ({ default: (await load()).AssigneePicker }));
export const PostTools = lazy(async () => ({ default: (await load()).PostTools }));
export const TeamWrite = lazy(async () => ({ default: (await load()).TeamWrite }));
export const TeamBar = lazy(async () => ({ default: (await load()).TeamBar }));
