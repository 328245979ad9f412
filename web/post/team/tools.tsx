export { TeamBar } from './bar.tsx';
export { Issues } from './issues.tsx';
export { AssigneePicker, PostTools, StatusPicker, TagsPicker } from './menu.tsx';
export { OpenBy } from './open-by.tsx';
export { TeamWrite } from './write.tsx';
