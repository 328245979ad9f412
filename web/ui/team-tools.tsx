export { AssigneePicker, PostTools, StatusPicker, TagsPicker } from './post-menu.tsx';
export { TeamBar } from './team-bar.tsx';
export { TeamWrite } from './team-write.tsx';
