export { TeamBar } from './bar.tsx';
export { AssigneePicker, PostTools, StatusPicker, TagsPicker } from './menu.tsx';
export { TeamWrite } from './write.tsx';
